//! JSON as every command prints it.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// `document` as indented JSON, keys sorted, arrays of plain values on one line.
///
/// # Errors
/// A figure that JSON has no way to write.
pub fn text(document: &impl Serialize) -> serde_json::Result<String> {
    let sorted = serde_json::to_value(document)?;
    let mut text = Vec::new();
    let mut serializer = Serializer::with_formatter(&mut text, Indented::default());
    sorted.serialize(&mut serializer)?;
    text.push(b'\n');
    String::from_utf8(text).map_err(serde::ser::Error::custom)
}

/// Pairs as an object.
pub fn as_map<S: serde::Serializer, V: Serialize>(
    pairs: &[(String, V)],
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(pairs.iter().map(|(what, value)| (what, value)))
}

/// Begins a line for every key and for every object in an array.
#[derive(Default)]
struct Indented {
    /// The arrays and objects that are open, and whether each takes more than one line.
    open: Vec<bool>,
    /// Whether the next value is an item of an array.
    is_item: bool,
}

impl Indented {
    fn begin_line<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        if let Some(takes_lines) = self.open.last_mut() {
            *takes_lines = true;
        }
        write!(to, "\n{:width$}", "", width = 2 * self.open.len())
    }

    fn end<W: ?Sized + Write>(&mut self, to: &mut W, bracket: &[u8]) -> io::Result<()> {
        if self.open.pop() == Some(true) {
            write!(to, "\n{:width$}", "", width = 2 * self.open.len())?;
        }
        to.write_all(bracket)
    }
}

impl Formatter for Indented {
    fn begin_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.open.push(false);
        to.write_all(b"[")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        self.is_item = true;
        to.write_all(if first { b"" } else { b"," })
    }

    fn end_array<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.end(to, b"]")
    }

    fn begin_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        if std::mem::take(&mut self.is_item) {
            self.begin_line(to)?;
        }
        self.open.push(false);
        to.write_all(b"{")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, to: &mut W, first: bool) -> io::Result<()> {
        to.write_all(if first { b"" } else { b"," })?;
        self.begin_line(to)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.is_item = false;
        to.write_all(b": ")
    }

    fn end_object<W: ?Sized + Write>(&mut self, to: &mut W) -> io::Result<()> {
        self.end(to, b"}")
    }
}
