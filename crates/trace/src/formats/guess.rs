//! A guess at a log in no known format: how it would be read, shown before it is.

use super::custom::{self, GuessedString, Pattern};
use super::head::Head;
use super::{Format, Record, RequestTarget};
use crate::Method;
use std::fmt;

/// Requests shown of a guess.
const SHOWN: usize = 3;

/// Characters shown of a target.
const TARGET_CHARS: usize = 48;

/// What a guess needs and does not find in the lines of a log; the further down, the more was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, thiserror::Error)]
#[non_exhaustive]
pub enum Missing {
    /// No column of times with their year.
    #[error("its lines share no column of times with date and year")]
    Time,
    /// No column of requests.
    #[error("its lines share a column of times, and none of requests or paths")]
    Request,
    /// No column of statuses.
    #[error("its lines share columns of times and requests, and none of statuses")]
    Status,
    /// Too few lines follow the columns found.
    #[error("its lines hold times, requests and statuses in no layout that most of them share")]
    Layout,
}

/// A format that nobody has named, and what the first lines say in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    string: GuessedString,
    first: Vec<String>,
}

impl Guess {
    /// The guess at a log whose head is `head`.
    ///
    /// # Errors
    /// What is not found in its lines: a time, a request or a status.
    pub(super) fn of(head: &Head<'_>) -> Result<Guess, Missing> {
        let string = custom::guess(head)?;
        let mut parser = string.pattern().ok_or(Missing::Layout)?;
        let first = first_requests(head, &mut parser);
        Ok(Guess { string, first })
    }

    /// The format, to read the log by.
    pub(crate) fn pattern(&self) -> Option<Pattern> {
        self.string.pattern()
    }

    /// The format as an nginx `log_format` or an Apache `LogFormat` string.
    pub fn log_format(&self) -> &str {
        &self.string.log_format
    }

    /// How its times are written (strptime), where the format string does not say so.
    pub fn time_format(&self) -> Option<&str> {
        self.string.time_format.as_deref()
    }

    /// The first requests in words, up to three.
    pub fn first_requests(&self) -> &[String] {
        &self.first
    }
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (first, string) = (self.first.join("; "), &self.string.log_format);
        write!(
            f,
            "its first requests read \u{201c}{first}\u{201d} by the format string '{string}'"
        )?;
        match &self.string.time_format {
            Some(format) => write!(f, " with times as '{format}'"),
            None => Ok(()),
        }
    }
}

fn first_requests(head: &Head<'_>, parser: &mut dyn Format) -> Vec<String> {
    let mut first = Vec::new();
    for line in head.lines() {
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

fn shortened(text: &str) -> String {
    match text.char_indices().nth(TARGET_CHARS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into(),
    }
}
