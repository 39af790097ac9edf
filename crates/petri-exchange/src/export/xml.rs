//! XML as a tree, written by a library.

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, BytesText, Event};

/// An element with its attributes, and elements or text in it.
pub(super) struct Element {
    name: &'static str,
    attributes: Vec<(&'static str, String)>,
    text: Option<String>,
    children: Vec<Element>,
}

impl Element {
    pub fn new(name: &'static str) -> Element {
        Element {
            name,
            attributes: Vec::new(),
            text: None,
            children: Vec::new(),
        }
    }

    pub fn with(mut self, attribute: &'static str, value: impl ToString) -> Element {
        self.attributes.push((attribute, value.to_string()));
        self
    }

    pub fn text(mut self, text: impl Into<String>) -> Element {
        self.text = Some(text.into());
        self
    }

    pub fn and(mut self, child: Element) -> Element {
        self.children.push(child);
        self
    }

    pub fn and_all(mut self, children: impl IntoIterator<Item = Element>) -> Element {
        self.children.extend(children);
        self
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> std::io::Result<()> {
        let mut start = BytesStart::new(self.name);
        for (name, value) in &self.attributes {
            start.push_attribute((*name, value.as_str()));
        }
        if self.children.is_empty() && self.text.is_none() {
            return writer.write_event(Event::Empty(start));
        }
        writer.write_event(Event::Start(start))?;
        if let Some(text) = &self.text {
            writer.write_event(Event::Text(BytesText::new(text)))?;
        }
        for child in &self.children {
            child.write(writer)?;
        }
        writer.write_event(Event::End(BytesEnd::new(self.name)))
    }
}

/// A document with this element as its root, and a document type where the format has one.
pub(super) fn document(root: &Element, doctype: Option<&'static str>) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
    let declaration = Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None));
    let doctype = doctype.map(|it| Event::DocType(BytesText::from_escaped(it)));
    [Some(declaration), doctype]
        .into_iter()
        .flatten()
        .try_for_each(|event| writer.write_event(event))
        .and_then(|()| root.write(&mut writer))
        .expect("a vector takes all that is written");
    String::from_utf8(writer.into_inner()).expect("only text was written") + "\n"
}
