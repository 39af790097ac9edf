//! What commands print: the most important line first, then tables of at most 100 columns.

mod compare;
mod describe;
mod file_systems;
mod generate;
mod import;
mod lab;
mod plan;
mod replay;
mod simulate;

pub use compare::compare;
pub use describe::describe;
pub use file_systems::{Figure, FileSystemRow, FileSystemTable, file_systems};
pub use generate::{Generated, generate};
pub use import::import;
pub use lab::{LabRow, lab};
pub use plan::plan;
pub use replay::replayed;
pub use simulate::{Simulated, simulate};

use crate::view::Reading;
use crate::{Style, number, printable, shorten_middle};

/// A heading with the lines that follow it.
fn section(style: Style, heading: &str, body: &str) -> String {
    if body.is_empty() {
        String::new()
    } else {
        format!("\n{}\n{body}", style.strong(heading))
    }
}

/// `text` broken at spaces so that no line is wider than the style allows.
fn wrapped(text: &str, style: Style) -> String {
    let text = printable(text);
    let mut lines: Vec<String> = vec![String::new()];
    for word in text
        .split(' ')
        .map(|word| shorten_middle(word, style.width))
    {
        let line = lines.last().map_or("", String::as_str);
        let joined = if line.is_empty() {
            word.to_string()
        } else {
            format!("{line} {word}")
        };
        if crate::display_width(&joined) <= style.width {
            lines.pop();
            lines.push(joined);
        } else {
            lines.push(word.into_owned());
        }
    }
    lines.join("\n") + "\n"
}

/// Rules and rejects: what the figures are about.
fn reading(reading: &Reading, style: Style) -> String {
    let mut text = String::new();
    for note in &reading.notes {
        text += &style_lines(style, &wrapped(note, style), Style::faint);
    }
    for reject in &reading.rejects {
        let lines = number::counted(reject.lines, "line", "lines");
        let count = format!("{lines} left out: {}", reject.reason);
        text += &style_lines(style, &wrapped(&count, style), Style::warning);
        for example in &reject.examples {
            let shown = printable(example);
            text += &format!(
                "  {}\n",
                shorten_middle(&shown, style.width.saturating_sub(2))
            );
        }
    }
    text
}

fn style_lines(style: Style, text: &str, paint: fn(Style, &str) -> String) -> String {
    text.lines().map(|line| paint(style, line) + "\n").collect()
}
