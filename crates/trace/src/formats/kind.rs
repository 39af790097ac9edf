//! The formats by name.

use super::evidence::Evidence;
use super::format::Format;
use super::head::Head;
use super::json::{Description, JsonReader};
use std::fmt;
use std::str::FromStr;

/// A log format that has a name and can be detected.
///
/// Each format's file defines its own, as a constant of this type.
#[derive(Clone, Copy)]
pub struct FormatKind {
    /// The name by which a user asks for it.
    pub(super) name: &'static str,
    /// Fields that a record has. Where several formats read the same log, the one with the most fields is
    /// chosen: a format that ignores what another explains is not the log's format.
    pub(super) fields: u32,
    /// Whether records hold keys and nothing of HTTP: no method, no status.
    pub(super) is_key_only: bool,
    /// Makes a parser in its initial state.
    pub(super) parser: Parser,
    /// What in the head of a log speaks for this format, which is handed over; none where nothing does.
    pub(super) evidence: fn(FormatKind, &Head<'_>) -> Option<Evidence>,
}

/// Where the parsers of a format come from.
#[derive(Clone, Copy)]
pub(super) enum Parser {
    /// The format's own.
    Own(fn() -> Box<dyn Format>),
    /// That of JSON lines, by the keys of the format.
    Json(&'static Description),
}

impl FormatKind {
    /// A parser in its initial state; each log needs one of its own.
    pub fn parser(self) -> Box<dyn Format> {
        match self.parser {
            Parser::Own(new) => new(),
            Parser::Json(description) => Box::new(JsonReader::of(description)),
        }
    }

    /// The name by which a user asks for it.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether records hold keys and nothing of HTTP: no method, no status.
    pub(crate) fn is_key_only(self) -> bool {
        self.is_key_only
    }

    /// What in the head of a log speaks for this format; none where nothing does.
    pub(super) fn evidence(self, head: &Head<'_>) -> Option<Evidence> {
        (self.evidence)(self, head)
    }
}

impl PartialEq for FormatKind {
    fn eq(&self, other: &FormatKind) -> bool {
        self.name == other.name
    }
}

impl Eq for FormatKind {}

impl fmt::Debug for FormatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

impl fmt::Display for FormatKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name)
    }
}

/// A format name that there is not.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no log format '{name}'; known are {}, or give an nginx log_format or Apache LogFormat string",
    FormatKind::names()
)]
pub struct UnknownFormat {
    /// The name as given.
    pub name: String,
}

impl FormatKind {
    /// All names, as a list for messages.
    pub(super) fn names() -> String {
        let names: Vec<&str> = FormatKind::ALL.iter().map(|kind| kind.name).collect();
        names.join(", ")
    }
}

impl FromStr for FormatKind {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let found = FormatKind::ALL.iter().find(|kind| kind.name == name);
        found.copied().ok_or_else(|| UnknownFormat {
            name: name.to_owned(),
        })
    }
}
