//! How terminal output may look.

use crate::shorten_middle;
use std::borrow::Cow;

/// Columns that lines are set to where no terminal says how many there are.
const LINE_WIDTH: usize = 100;

/// What the place that text is written to can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to write ANSI colours: only where the output is a terminal that wants them.
    pub colour: bool,
    /// Columns available; none where it is no terminal. Nothing is shortened then, as a file or a program takes any
    /// width; a path may make a line wider.
    pub width: Option<usize>,
}

impl Style {
    /// No colour, and nothing shortened: a file, a pipe, a test.
    pub const PLAIN: Style = Style {
        colour: false,
        width: None,
    };

    /// A terminal `width` columns wide.
    pub fn terminal(width: usize) -> Style {
        Style {
            colour: true,
            width: Some(width),
        }
    }

    /// Columns that lines are set to.
    pub(crate) fn line_width(self) -> usize {
        self.width.unwrap_or(LINE_WIDTH)
    }

    /// `text`, shortened where it is wider than the line without `taken` of its columns.
    pub(crate) fn fitted(self, text: &str, taken: usize) -> Cow<'_, str> {
        match self.width {
            Some(width) => shorten_middle(text, width.saturating_sub(taken)),
            None => text.into(),
        }
    }

    /// `text` in this tone, where that can be shown.
    pub(crate) fn paint(self, tone: Tone, text: &str) -> String {
        let code = match tone {
            Tone::Strong => "1",
            Tone::Good => "1;32",
            Tone::Warning => "33",
            Tone::Faint => "2",
            Tone::Plain => return text.to_owned(),
        };
        match self.colour {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}

/// How much a line stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// As the others.
    Plain,
    /// What comes first.
    Strong,
    /// A gain.
    Good,
    /// Something to look at.
    Warning,
    /// Headers, remarks.
    Faint,
}

impl Default for Style {
    fn default() -> Style {
        Style::PLAIN
    }
}
