//! Pins what a view shows: each form of it is laid beside its snapshot.

use crate::sample;
use hotset_report::*;

/// Pins a text, a long one by its beginning and what the whole hashes to.
pub fn pin(name: &str, form: &str, text: &str) {
    const MOST_LINES: usize = 300;
    let more = text.lines().count().saturating_sub(MOST_LINES);
    let shown = match more {
        0 => text.to_owned(),
        more => {
            let lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
            format!(
                "{}\n… {more} more lines, {}\n",
                lines.join("\n"),
                hash(text)
            )
        }
    };
    insta::with_settings!({ snapshot_path => "../snapshots", prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(format!("{name}.{form}"), shown);
    });
}

/// As people read it, on a terminal with colours as well, and as programs do.
pub fn pin_text(name: &str, view: &impl View) {
    pin(name, "terminal", &view.terminal(Style::PLAIN));
    let narrow = view.terminal(Style::terminal(72)).replace('\x1b', "␛");
    pin(name, "colours", &narrow);
    pin(name, "json", &shortened(&view.json().unwrap()));
}

/// Whoever reads a page has not typed the command: it names no option. How it came about is another matter.
fn names_no_option(page: &str) {
    let mut words = page.split([' ', '>', '<', '(', '`', '"']);
    let is_option = |word: &&str| {
        let name = word.strip_prefix("--");
        name.is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    assert_eq!(words.find(is_option), None);
}

pub fn pin_page(name: &str, view: &impl Page) {
    names_no_option(&readable(&view.page(&[])));
    pin(name, "page", &readable(&view.page(&sample::provenance())));
}

pub fn pin_sheets(name: &str, view: &impl Sheets) {
    let mut sheets = view.sheets();
    sheets.sort_by_key(|(name, _)| *name);
    let table = |(name, table): (&str, Table)| format!("{name}\n{}\n", table.csv().unwrap());
    pin(
        name,
        "csv",
        &sheets.into_iter().map(table).collect::<String>(),
    );
}

/// Long arrays, by their beginning and what the whole hashes to.
fn shortened(json: &str) -> String {
    const LONGEST: usize = 400;
    let line = |line: &str| match line.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}… {}\n", &line[..at], hash(line)),
        None => format!("{line}\n"),
    };
    json.lines().map(line).collect()
}

/// FNV-1a.
fn hash(text: &str) -> String {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, mix);
    format!("{} bytes {hash:016x}", text.len())
}

/// A page with a line for each element; of its style, its script and its pictures what they hash to.
pub fn readable(page: &str) -> String {
    let mut text = page.to_owned();
    for (open, close) in [
        ("<style", "</style>"),
        ("<script", "</script>"),
        ("<svg", "</svg>"),
    ] {
        let mut rest = text.as_str();
        let mut kept = String::new();
        while let Some((before, after)) = rest.split_once(open) {
            let (inside, after) = after.split_once(close).unwrap();
            kept += &format!("{before}[{open}: {}]", hash(inside));
            rest = after;
        }
        text = kept + rest;
    }
    for tag in [
        "html", "head", "meta", "title", "body", "header", "p", "h1", "h2", "h3", "dl", "div",
        "dt", "nav", "li", "main", "section", "figure", "ul", "table", "caption", "thead", "tbody",
        "tr", "pre", "footer",
    ] {
        for end in ['>', ' '] {
            text = text.replace(&format!("<{tag}{end}"), &format!("\n<{tag}{end}"));
        }
    }
    text
}
