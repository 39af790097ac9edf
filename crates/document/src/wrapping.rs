//! Text broken into lines.

use crate::{Style, Tone, display_width, printable};

impl Style {
    /// `text` on lines of its own, each painted by itself, so that a pager may cut between them.
    pub(crate) fn paragraph(self, tone: Tone, text: &str) -> String {
        let lines = self.wrapped(text);
        let lines = lines.iter().map(|line| self.paint(tone, line) + "\n");
        lines.collect()
    }

    /// `text` broken at spaces, but not between a number and its unit, so that no line is wider than the style allows; a word
    /// that is gets shortened.
    fn wrapped(self, text: &str) -> Vec<String> {
        let text = printable(text);
        let mut lines = vec![String::new()];
        for word in words(&text).iter().map(|word| self.fitted(word, 0)) {
            let last = lines.len() - 1;
            let line = &mut lines[last];
            if line.is_empty() {
                line.push_str(&word);
            } else if display_width(line) + 1 + display_width(&word) <= self.line_width() {
                *line += " ";
                *line += &word;
            } else {
                lines.push(word.into_owned());
            }
        }
        lines
    }
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
