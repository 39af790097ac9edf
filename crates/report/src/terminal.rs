//! What commands print: the most important line first, then tables.

use crate::{Style, Table, printable};

/// A heading with the lines that follow it.
pub(crate) fn section(style: Style, heading: &str, body: &str) -> String {
    if body.is_empty() {
        String::new()
    } else {
        format!("\n{}{body}", paragraph(style, heading, Style::strong))
    }
}

/// Tables under headings; those without rows are left out.
pub(crate) fn sections<'a>(
    style: Style,
    tables: impl IntoIterator<Item = (&'a str, Table)>,
) -> String {
    let tables = tables.into_iter();
    tables
        .map(|(heading, table)| section(style, heading, &table.render(style)))
        .collect()
}

/// `text` on lines of its own, painted.
pub(crate) fn paragraph(style: Style, text: &str, paint: fn(Style, &str) -> String) -> String {
    style_lines(style, &wrapped(text, style), paint)
}

/// `text` broken at spaces, but not between a number and its unit, so that no line is wider than the style allows; a word
/// that is gets shortened.
pub(crate) fn wrapped(text: &str, style: Style) -> String {
    let text = printable(text);
    let mut lines: Vec<String> = vec![String::new()];
    for word in words(&text).iter().map(|word| style.fitted(word, 0)) {
        let line = lines.last().map_or("", String::as_str);
        let joined = if line.is_empty() {
            word.to_string()
        } else {
            format!("{line} {word}")
        };
        if crate::display_width(&joined) <= style.line_width() {
            lines.pop();
            lines.push(joined);
        } else {
            lines.push(word.into_owned());
        }
    }
    lines.join("\n") + "\n"
}

/// What stands between spaces; a number and its unit are one.
fn words(text: &str) -> Vec<String> {
    const UNITS: [&str; 12] = [
        "%", "B", "KiB", "MiB", "GiB", "TiB", "µs", "ms", "s", "min", "h", "d",
    ];
    let is_unit = |word: &str| UNITS.contains(&word.trim_end_matches([')', ',', ';', '.', ':']));
    let mut words: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match words.last_mut() {
            Some(number) if number.ends_with(|c: char| c.is_ascii_digit()) && is_unit(word) => {
                *number += &format!(" {word}");
            }
            _ => words.push(word.to_owned()),
        }
    }
    words
}

/// Every line of `text` painted by itself, so that a pager may cut between them.
pub(crate) fn style_lines(style: Style, text: &str, paint: fn(Style, &str) -> String) -> String {
    text.lines().map(|line| paint(style, line) + "\n").collect()
}
