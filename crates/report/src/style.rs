//! How terminal output may look.

/// Columns that every table fits in, however wide the terminal is.
pub const MAX_WIDTH: usize = 100;

/// What the place that text is written to can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether to write ANSI colours: only where the output is a terminal that wants them.
    pub colour: bool,
    /// Columns available, at most [`MAX_WIDTH`] are used.
    pub width: usize,
}

impl Style {
    /// No colour, [`MAX_WIDTH`] columns: a file, a pipe, a test.
    pub const PLAIN: Style = Style {
        colour: false,
        width: MAX_WIDTH,
    };

    /// A terminal `width` columns wide.
    pub fn terminal(width: usize) -> Style {
        Style {
            colour: true,
            width: width.min(MAX_WIDTH),
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
