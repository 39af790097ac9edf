//! Links and forms of a page that was received.
//!
//! This is no reader of HTML: of each tag it takes the name and the attributes, which is enough for links and for the fields of
//! forms. What nobody could follow, such as a link to another host, is left out.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

/// Where a link or a form leads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Path below the server's prefix.
    pub path: String,
    /// Whether it is a form, and whether that is sent by POST.
    pub kind: TargetKind,
    /// Names of its fields and what stands in them.
    pub fields: Vec<(String, Entry)>,
}

/// How a target is followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TargetKind {
    /// A link.
    #[default]
    Link,
    /// A form whose fields go into the URL.
    FormByGet,
    /// A form whose fields go into the body.
    FormByPost,
}

/// What stands in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry {
    /// This value.
    Value(String),
    /// One of these is to be chosen.
    Choice(Vec<String>),
    /// Nothing yet.
    Blank,
}

/// The links and forms of `html`, a page that stands at `base` below `prefix`; in its order.
pub fn targets(html: &str, base: &str, prefix: &str) -> Vec<Target> {
    let mut reader = Reader {
        base,
        prefix,
        targets: Vec::new(),
        form: None,
        select: None,
    };
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.find("-->").map_or("", |end| &comment[end + 3..]);
            continue;
        }
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            continue;
        }
        let (tag, behind) = Tag::read(rest);
        rest = behind;
        match tag.name.as_str() {
            "script" => rest = after(rest, "</script"),
            "style" => rest = after(rest, "</style"),
            _ => reader.take(&tag),
        }
    }
    reader.end_form();
    reader.targets
}

/// What follows the next `end`, or nothing.
fn after<'a>(text: &'a str, end: &str) -> &'a str {
    text.find(end).map_or("", |at| &text[at + end.len()..])
}

/// A tag: its name in lower case, with the slash of an end, and its attributes.
struct Tag<'a> {
    name: String,
    attributes: Vec<(String, Cow<'a, str>)>,
}

impl<'a> Tag<'a> {
    /// The tag that `text` begins with, behind its `<`; and what follows it.
    fn read(text: &'a str) -> (Tag<'a>, &'a str) {
        let name_end = text
            .find(|c: char| c == '>' || c.is_ascii_whitespace())
            .unwrap_or(text.len());
        let mut tag = Tag {
            name: text[..name_end].trim_end_matches('/').to_ascii_lowercase(),
            attributes: Vec::new(),
        };
        if text.starts_with("/") {
            tag.name = format!("/{}", tag.name.trim_start_matches('/'));
        }
        let mut rest = &text[name_end..];
        loop {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
            if rest.is_empty() {
                return (tag, rest);
            }
            if let Some(behind) = rest.strip_prefix('>') {
                return (tag, behind);
            }
            rest = tag.read_attribute(rest);
        }
    }

    /// Takes the attribute that `text` begins with; what follows it. At least one character is used.
    fn read_attribute(&mut self, text: &'a str) -> &'a str {
        let end = text
            .char_indices()
            .skip(1)
            .find(|(_, c)| "=>/".contains(*c) || c.is_ascii_whitespace());
        let (name, rest) = text.split_at(end.map_or(text.len(), |(at, _)| at));
        let spaced = rest.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let Some(value) = spaced.strip_prefix('=') else {
            self.attributes.push((name.to_ascii_lowercase(), "".into()));
            return rest;
        };
        let value = value.trim_start_matches(|c: char| c.is_ascii_whitespace());
        let quote = value.chars().next().filter(|c| ['"', '\''].contains(c));
        let (value, rest) = match quote {
            Some(quote) => value[1..].split_once(quote).unwrap_or((&value[1..], "")),
            None => {
                let end = value.find(|c: char| c == '>' || c.is_ascii_whitespace());
                value.split_at(end.unwrap_or(value.len()))
            }
        };
        self.attributes
            .push((name.to_ascii_lowercase(), unescaped(value)));
        rest
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(of, _)| of == name);
        found.map(|(_, value)| value.as_ref())
    }
}

/// Characters that HTML writes as entities.
const ENTITIES: [(&str, &str); 6] = [
    ("&lt;", "<"),
    ("&gt;", ">"),
    ("&quot;", "\""),
    ("&#39;", "'"),
    ("&#039;", "'"),
    // Last, so that what it makes is not read again.
    ("&amp;", "&"),
];

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return Cow::Borrowed(text);
    }
    let all = ENTITIES.iter();
    let text = all.fold(text.to_owned(), |text, (entity, is)| {
        text.replace(entity, is)
    });
    Cow::Owned(text)
}

/// Collects links and forms.
struct Reader<'a> {
    base: &'a str,
    prefix: &'a str,
    targets: Vec<Target>,
    form: Option<Target>,
    select: Option<Select>,
}

/// A list that one of is chosen.
struct Select {
    name: String,
    values: Vec<String>,
    selected: Option<String>,
}

impl Reader<'_> {
    fn take(&mut self, tag: &Tag<'_>) {
        match tag.name.as_str() {
            "a" => {
                let link = tag.attribute("href").and_then(|href| self.target(href));
                self.targets.extend(link);
            }
            "form" => self.begin_form(tag),
            "/form" => self.end_form(),
            "input" => self.input(tag),
            "textarea" => self.field(tag.attribute("name"), Entry::Blank),
            "select" => {
                self.select = tag.attribute("name").map(|name| Select {
                    name: name.to_owned(),
                    values: Vec::new(),
                    selected: None,
                });
            }
            "option" => self.option(tag),
            "/select" => self.end_select(),
            _ => {}
        }
    }

    /// Where a URL leads, with the fields of its query; nothing where it leaves the server.
    fn target(&self, url: &str) -> Option<Target> {
        let url = url.split('#').next().unwrap_or_default();
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let fields = query.split('&').filter(|field| !field.is_empty());
        Some(Target {
            path: self.path(path)?,
            kind: TargetKind::Link,
            fields: fields.map(field_of_query).collect(),
        })
    }

    fn path(&self, path: &str) -> Option<String> {
        if path.is_empty() {
            return Some(self.base.to_owned());
        }
        if path.starts_with("//") || path.split('/').next()?.contains(':') {
            return None;
        }
        if path.starts_with('/') {
            let below = path.strip_prefix(self.prefix);
            let below = below.filter(|below| below.starts_with('/'));
            return Some(below.unwrap_or(path).to_owned());
        }
        let folder = self.base.rsplit_once('/').map_or("", |(folder, _)| folder);
        Some(format!("{folder}/{}", path.trim_start_matches("./")))
    }

    fn begin_form(&mut self, tag: &Tag<'_>) {
        self.end_form();
        let by_post = tag
            .attribute("method")
            .is_some_and(|method| method.eq_ignore_ascii_case("post"));
        self.form = self.target(tag.attribute("action").unwrap_or_default());
        if let Some(form) = &mut self.form {
            form.kind = match by_post {
                true => TargetKind::FormByPost,
                false => TargetKind::FormByGet,
            };
        }
    }

    fn end_form(&mut self) {
        self.end_select();
        self.targets.extend(self.form.take());
    }

    fn input(&mut self, tag: &Tag<'_>) {
        let value = tag.attribute("value").unwrap_or_default();
        let kind = tag.attribute("type").unwrap_or("text").to_ascii_lowercase();
        let entry = match kind.as_str() {
            "submit" | "image" | "button" | "reset" | "file" => return,
            "checkbox" | "radio" if tag.attribute("checked").is_none() => return,
            "checkbox" | "radio" if value.is_empty() => Entry::Value("on".to_owned()),
            "checkbox" | "radio" | "hidden" => Entry::Value(value.to_owned()),
            _ if value.is_empty() => Entry::Blank,
            _ => Entry::Value(value.to_owned()),
        };
        self.field(tag.attribute("name"), entry);
    }

    fn option(&mut self, tag: &Tag<'_>) {
        let value = tag.attribute("value").unwrap_or_default().to_owned();
        if let Some(select) = &mut self.select {
            if tag.attribute("selected").is_some() {
                select.selected = Some(value.clone());
            }
            select.values.push(value);
        }
    }

    fn end_select(&mut self) {
        let Some(select) = self.select.take() else {
            return;
        };
        let entry = match (select.selected, select.values) {
            (Some(selected), _) => Entry::Value(selected),
            (None, values) if values.is_empty() => return,
            (None, values) => Entry::Choice(values),
        };
        self.field(Some(select.name.as_str()), entry);
    }

    /// Adds a field to the form, where it is in one and has a name.
    fn field(&mut self, name: Option<&str>, entry: Entry) {
        let name = name.filter(|name| !name.is_empty());
        if let (Some(form), Some(name)) = (&mut self.form, name) {
            form.fields.push((name.to_owned(), entry));
        }
    }
}

fn field_of_query(field: &str) -> (String, Entry) {
    let (name, value) = field.split_once('=').unwrap_or((field, ""));
    (decoded(name), Entry::Value(decoded(value)))
}

fn decoded(text: &str) -> String {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced).decode_utf8_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(path: &str, fields: &[(&str, &str)]) -> Target {
        let fields = fields.iter();
        Target {
            path: path.to_owned(),
            kind: TargetKind::Link,
            fields: fields
                .map(|(name, value)| ((*name).to_owned(), Entry::Value((*value).to_owned())))
                .collect(),
        }
    }

    #[test]
    fn links_have_the_values_of_their_queries() {
        let html = "<p><A class=x HREF='item.php?i=5&amp;name=a+b%26c#top'>item</A>\
                    <a href=/shop/cart.php>cart</a><a href=\"/other\">o</a><a href=\"?page=2\">2</a>";
        let found = targets(html, "/home.php", "/shop");
        let expected = [
            link("/item.php", &[("i", "5"), ("name", "a b&c")]),
            link("/cart.php", &[]),
            link("/other", &[]),
            link("/home.php", &[("page", "2")]),
        ];
        assert_eq!(found, expected);
    }

    #[test]
    fn what_leaves_the_server_or_is_no_tag_is_left_out() {
        let html = "<a href=\"http://else.where/\">x</a><a href=\"//else/\">x</a>\
                    <a href=\"mailto:me@x\">x</a><!-- <a href=\"/hidden\"> --><a name=\"x\">\
                    <script>'<a href=\"/script\">'</script> 1 < 2 <a href=\"/end\"";
        assert_eq!(targets(html, "/", ""), [link("/end", &[])]);
    }

    #[test]
    fn forms_have_what_stands_in_their_fields() {
        let html = "<form method=POST action=buy.php?c=1><input type=hidden name=id value='7'>\
                    <input name=user><input type=password name=word value=''>\
                    <select name=card><option value=visa>V<option value=amex>A</select>\
                    <select name=year><option value=1><option value=2 selected></select>\
                    <input type=checkbox name=no><input type=checkbox name=yes checked>\
                    <textarea name=text></textarea><input type=submit name=go value=Go></form>\
                    <form action=find.php><input name=words></form>";
        let found = targets(html, "/cart.php", "");
        let value = |text: &str| Entry::Value(text.to_owned());
        let choice = Entry::Choice(vec!["visa".to_owned(), "amex".to_owned()]);
        let fields = [
            ("c", value("1")),
            ("id", value("7")),
            ("user", Entry::Blank),
            ("word", Entry::Blank),
            ("card", choice),
            ("year", value("2")),
            ("yes", value("on")),
            ("text", Entry::Blank),
        ];
        let fields: Vec<_> = fields.map(|(name, entry)| (name.to_owned(), entry)).into();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].fields, fields);
        assert_eq!(
            (&*found[0].path, found[0].kind),
            ("/buy.php", TargetKind::FormByPost)
        );
        assert_eq!(
            (&*found[1].path, found[1].kind),
            ("/find.php", TargetKind::FormByGet)
        );
    }

    #[test]
    fn broken_html_ends() {
        for html in [
            "<",
            "<a",
            "<a href",
            "<a href=",
            "<a href='x",
            "<form><",
            "<!--",
            "</",
            "<a =x>",
            "<é ü=ö>",
        ] {
            targets(html, "/", "");
        }
    }
}
