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

    /// `text` in bold, where that can be shown.
    pub fn strong(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// `text` in green: a gain.
    pub fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// `text` in yellow: something to look at.
    pub fn warning(self, text: &str) -> String {
        self.paint("33", text)
    }

    /// `text` toned down: headers, remarks.
    pub fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }

    fn paint(self, code: &str, text: &str) -> String {
        if self.colour {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

impl Default for Style {
    fn default() -> Style {
        Style::PLAIN
    }
}
