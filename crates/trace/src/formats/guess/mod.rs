//! A guess at a log in no known format: how it would be read, shown before it is.
//!
//! Lines of text are cut into columns (`cut`), each column is told by the shape of its values (`column`), and the
//! columns become the fields of a format string (`layout`, `text`). The keys of JSON are told by their values and
//! their names (`keys`). The log is then read as if the user had given the format.

mod column;
mod cut;
mod keys;
mod layout;
mod missing;
mod text;

use super::head::Head;
use super::json::JsonKeys;
use super::prefix::Prefix;
use super::{Format, Record, RequestTarget};
use crate::Method;
use std::fmt;

pub use missing::Missing;
pub(crate) use text::GuessedString;

/// Lines looked at: the shapes of a few hundred values leave little doubt.
const LINES: usize = 300;

/// Requests shown of a guess.
const SHOWN: usize = 3;

/// Characters shown of a target or a line.
const TARGET_CHARS: usize = 48;

/// A format that nobody has named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum GuessedFormat {
    /// Text, by a format string.
    String(GuessedString),
    /// JSON, by its keys.
    Keys(JsonKeys),
}

/// A guess at a log's format, and what its first lines say in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    format: GuessedFormat,
    prefix: Option<Prefix>,
    first: Vec<String>,
}

impl Guess {
    /// The guess at a log whose head is `head`. Where its lines share no layout, those without a method are left out, if they
    /// are no more than the share `max_rejected`.
    ///
    /// # Errors
    /// What is not found in its lines: a time, a request or a status.
    pub(super) fn of(head: &Head<'_>, max_rejected: f64) -> Result<Guess, Missing> {
        let lines = &head.lines()[..head.lines().len().min(LINES)];
        Guess::of_lines(lines).or_else(|missing| {
            let requests: Vec<&[u8]> = lines.iter().copied().filter(names_method).collect();
            let left_out = lines.len() - requests.len();
            let may_be = left_out > 0 && left_out as f64 <= max_rejected * lines.len() as f64;
            if may_be {
                Guess::of_lines(&requests)
            } else {
                Err(missing)
            }
        })
    }

    fn of_lines(lines: &[&[u8]]) -> Result<Guess, Missing> {
        let format = match keys::documents(lines) {
            Some(documents) => GuessedFormat::Keys(keys::json_keys(&documents)?),
            None => GuessedFormat::String(text::format_string(lines)?),
        };
        let mut parser = format.parser().ok_or(Missing::Layout)?;
        let first = first_requests(lines, parser.as_mut());
        Ok(Guess {
            format,
            prefix: None,
            first,
        })
    }

    /// The same guess at lines that stand behind `prefix`.
    pub(super) fn behind(self, prefix: Prefix) -> Guess {
        let prefix = Some(prefix);
        Guess { prefix, ..self }
    }

    /// What is cut off each line.
    pub(crate) fn prefix(&self) -> Option<&Prefix> {
        self.prefix.as_ref()
    }

    /// The format.
    pub(crate) fn format(&self) -> &GuessedFormat {
        &self.format
    }
}

impl GuessedFormat {
    fn parser(&self) -> Option<Box<dyn Format>> {
        match self {
            GuessedFormat::String(string) => Some(Box::new(string.pattern()?)),
            GuessedFormat::Keys(keys) => Some(keys.parser()),
        }
    }
}

impl fmt::Display for GuessedFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuessedFormat::Keys(keys) => write!(f, "the JSON keys '{keys}'"),
            GuessedFormat::String(string) => write!(f, "{string}"),
        }
    }
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, format) = (self.first.join("; "), &self.format);
        write!(
            f,
            "its first requests read \u{201c}{first}\u{201d} by {format}"
        )?;
        if let Some(prefix) = &self.prefix {
            write!(f, " behind {prefix}, which is cut off")?;
        }
        let remarks = match format {
            GuessedFormat::String(string) => string.remarks.as_slice(),
            GuessedFormat::Keys(_) => &[],
        };
        remarks
            .iter()
            .try_for_each(|remark| write!(f, "; {remark}"))
    }
}

/// Whether one of the words of a line is a method.
fn names_method(line: &&[u8]) -> bool {
    let mut words = line.split(|byte| !byte.is_ascii_alphabetic());
    words.any(column::is_method)
}

fn first_requests(lines: &[&[u8]], parser: &mut dyn Format) -> Vec<String> {
    let mut first = Vec::new();
    for line in lines {
        if let Ok(Some(record)) = parser.parse(line) {
            first.push(in_words(&record));
        }
        if first.len() == SHOWN {
            break;
        }
    }
    first
}

/// A request as `2015-05-17T10:05:03Z, client 203.0.113.7, host a.example: GET /a, 200, 512 bytes`.
fn in_words(record: &Record<'_>) -> String {
    let time = record
        .time_us
        .and_then(|us| jiff::Timestamp::from_microsecond(us).ok());
    let time = time.map_or("no time".into(), |time| time.to_string());
    let named = |what: &str, name: &[u8]| match name {
        b"" => format!("no {what}"),
        name => format!("{what} {}", name.escape_ascii()),
    };
    let method = match record.method {
        Method::Get => "GET",
        Method::Head => "HEAD",
        Method::Post => "POST",
        Method::Other => "another method",
    };
    let target = match record.target {
        RequestTarget::Url(url) => shortened(&url.escape_ascii().to_string()),
        RequestTarget::Key(key) => key.to_string(),
    };
    let bytes = record
        .bytes
        .map_or("no size".into(), |bytes| format!("{bytes} bytes"));
    let (client, host) = (named("client", record.client), named("host", record.host));
    format!(
        "{time}, {client}, {host}: {method} {target}, {}, {bytes}",
        record.status
    )
}

/// The first characters of `text`.
pub(super) fn shortened(text: &str) -> String {
    match text.char_indices().nth(TARGET_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
