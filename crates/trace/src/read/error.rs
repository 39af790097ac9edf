//! What can go wrong while reading logs.

use super::summary::{Example, ReadSummary};
use crate::formats::DetectError;
use crate::formats::json::MissingKey;
use jiff::Timestamp;
use std::io;
use std::path::PathBuf;

/// Why reading failed. Every message names the input and what fixes it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// No input was named.
    #[error("no log given: name log files, a pattern, or - for standard input")]
    NoInput,
    /// A log whose ranges do not say what the whole log says.
    #[error("{0}: cannot be read in ranges: read it whole")]
    NotInRanges(String),
    /// A file that does not exist.
    #[error("{}: no such file: check the path (patterns must match at least one file)", .0.display())]
    NotFound(PathBuf),
    /// A directory where a file is wanted.
    #[error("{path}: is a directory: name its logs, for example {path}/*.log", path = .0.display())]
    Directory(PathBuf),
    /// A pattern that is not one.
    #[error("{pattern}: no such file, and not a pattern ({reason}): check the path")]
    Pattern {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The same file by two names or patterns would be counted twice.
    #[error("{0}: given twice: name each log once")]
    Twice(String),
    /// The operating system refused a read.
    #[error("{file}: cannot be read: {source}: check its permissions and the device")]
    Unreadable {
        /// The file.
        file: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// More logs at a time than the operating system lets a process open.
    #[error(
        "{0}: cannot be opened while the other logs are: their lines are merged by time, and this process \
         may not open more files: raise `ulimit -n`, or read fewer logs at a time"
    )]
    TooManyOpen(String),
    /// A compressed file that ends early.
    #[error("{0}: compressed data end early: the file is truncated, fetch it again")]
    Truncated(String),
    /// A compressed file whose data are damaged.
    #[error("{file}: compressed data are damaged ({source}): fetch the file again")]
    Corrupt {
        /// The file.
        file: String,
        /// What the decoder said.
        source: io::Error,
    },
    /// Nothing in the input.
    #[error("{0}: is empty: name a log that holds requests")]
    Empty(String),
    /// A format that was not recognised.
    #[error(transparent)]
    Format(#[from] DetectError),
    /// A key that the user named and no line holds.
    #[error(
        "{file}: {} {} for the field {}; the first holds {}: correct the key",
        none_holds(missing.lines), missing.keys.join(" or "), missing.field.name(), some_of(&missing.held)
    )]
    MissingKey {
        /// The file.
        file: String,
        /// The key, and what lines hold.
        missing: MissingKey,
    },
    /// A rejected line under `strict`.
    #[error("{file}:{}: {reason}: {}: correct the line, or allow lines that cannot be read", example.line, example.text)]
    Strict {
        /// The file.
        file: String,
        /// Why the line was rejected.
        reason: String,
        /// Where and what it is.
        example: Example,
    },
    /// Too large a share of the lines is not in the file's format.
    #[error(
        "{file}: {rejected} of {} lines are not in the format {format} (first: line {}, {reason}: {}): {}",
        lines_read(*lines, *whole), example.line, example.text, fix_of(format)
    )]
    MixedFormats {
        /// The file.
        file: String,
        /// The format it was read as.
        format: String,
        /// Lines rejected.
        rejected: u64,
        /// Lines read.
        lines: u64,
        /// Whether they are all of the file; else reading stopped there.
        whole: bool,
        /// Why the first was rejected.
        reason: String,
        /// The first rejected line.
        example: Box<Example>,
    },
    /// Lines, but not one request.
    #[error("{file}: no usable request in {lines} lines: {why}")]
    NoRequests {
        /// The first file.
        file: String,
        /// Lines in all files.
        lines: u64,
        /// What the lines hold instead.
        why: Unusable,
    },
    /// Requests, all of them outside the period asked for.
    #[error("{file}: no request lies in the period asked for: {}", log_span(*first, *last))]
    NothingInPeriod {
        /// The first file.
        file: String,
        /// Time of the earliest request; none where no time is known.
        first: Option<Timestamp>,
        /// Time of the latest.
        last: Option<Timestamp>,
    },
    /// A site rule that cannot be understood.
    #[error("site rule {rule:?}: {reason}")]
    SiteRule {
        /// The rule as given.
        rule: String,
        /// What is wrong, and the form it should have.
        reason: String,
    },
    /// A site rule that no request met.
    #[error(
        "site rule {rule:?} matched nothing: check its pattern against the {what} of the log, \
         and that no rule before it takes the same requests"
    )]
    UnusedSiteRule {
        /// The rule as given.
        rule: String,
        /// What it was compared with.
        what: &'static str,
    },
    /// A root that cannot be used.
    #[error("root {rule:?}: {reason}")]
    Root {
        /// The rule as given.
        rule: String,
        /// What is wrong, and the form it should have.
        reason: String,
    },
    /// Sizes that add up to more than can be counted with.
    #[error(
        "{file}: the sizes in it add up to more than {limit} bytes, which no log's do: name the right format, \
         or correct the lines"
    )]
    TooLarge {
        /// The first file.
        file: String,
        /// The most they can add up to.
        limit: u64,
    },
    /// More distinct things than ids.
    #[error("more than {limit} distinct {what}: read fewer logs at a time")]
    TooMany {
        /// Sites, clients or objects.
        what: &'static str,
        /// The most there can be.
        limit: u64,
    },
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}

fn none_holds(lines: usize) -> String {
    match lines {
        1 => "its line of JSON does not hold".into(),
        _ => format!("none of its first {lines} lines of JSON holds"),
    }
}

/// The span of a log whose requests all lie outside a period, and what to do.
fn log_span(first: Option<Timestamp>, last: Option<Timestamp>) -> String {
    match first.zip(last) {
        Some((first, last)) => {
            format!("the log spans {first} to {last}; choose a period within that")
        }
        None => "the log has no times; leave the period out".into(),
    }
}

/// Why no line became a request.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unusable {
    /// All that could be requests were rejected, and the caller allows any share of those.
    #[error(
        "the first rejected is line {} of {file}, {reason}: {}: name the right format",
        example.line, example.text
    )]
    Rejected {
        /// The file that holds the first rejected line.
        file: String,
        /// Why it was rejected.
        reason: String,
        /// The line.
        example: Box<Example>,
    },
    /// The counting rule drops all requests.
    #[error("each has a query, and the counting rule leaves those out: count by the default rule")]
    Queries,
    /// There are none.
    #[error("they are blank, directives or headers: name a log that holds requests")]
    NoneLogged,
}

impl Unusable {
    /// Why logs read as `summary` says hold no request.
    pub(super) fn of(summary: &ReadSummary) -> Unusable {
        let source = summary.sources.iter().find(|it| !it.rejected.is_empty());
        if let Some(source) = source
            && let Some((reason, example)) = super::rejects::first(&source.rejected)
        {
            let (file, reason) = (source.file.clone(), reason.to_owned());
            let example = Box::new(example.clone());
            return Unusable::Rejected {
                file,
                reason,
                example,
            };
        }
        match summary.dropped_with_parameters {
            0 => Unusable::NoneLogged,
            _ => Unusable::Queries,
        }
    }
}

/// The first of `keys`, as a list.
fn some_of(keys: &[String]) -> String {
    const SHOWN: usize = 30;
    let shown = keys[..keys.len().min(SHOWN)].join(", ");
    match keys.len() > SHOWN {
        true => format!("{shown} and {} more", keys.len() - SHOWN),
        false => shown,
    }
}

fn lines_read(lines: u64, whole: bool) -> String {
    if whole {
        lines.to_string()
    } else {
        format!("its first {lines}")
    }
}

/// How to read a log that is not in `format`.
fn fix_of(format: &str) -> &'static str {
    match format {
        "custom" => {
            "correct the format string, leave it out to have the format detected, or allow more rejected lines"
        }
        "json" => {
            "correct the keys, leave them out to have the format detected, or allow more rejected lines"
        }
        _ => "name the right format, split a log of mixed formats, or allow more rejected lines",
    }
}

/// The operating system's limit on open files (Linux, `errno(3)`: EMFILE and ENFILE).
const TOO_MANY_OPEN: [i32; 2] = [24, 23];

impl ReadError {
    /// The error of opening `file`.
    pub(super) fn of_open(file: String, source: io::Error) -> ReadError {
        match source.raw_os_error() {
            Some(code) if TOO_MANY_OPEN.contains(&code) => ReadError::TooManyOpen(file),
            _ => ReadError::Unreadable { file, source },
        }
    }

    /// The error of logs whose sizes add up to too much.
    pub(super) fn too_large(summary: &ReadSummary) -> ReadError {
        let first = summary.sources.first();
        ReadError::TooLarge {
            file: first.map(|source| source.file.clone()).unwrap_or_default(),
            limit: crate::size_limits::MAX_TOTAL_BYTES,
        }
    }

    /// The error of a read from `file`, which may go through a decoder.
    pub(super) fn of_io(file: &str, error: io::Error) -> ReadError {
        let file = file.to_owned();
        match error.kind() {
            io::ErrorKind::UnexpectedEof => ReadError::Truncated(file),
            // Decoders invent errors, the operating system numbers them.
            _ if error.raw_os_error().is_none() => ReadError::Corrupt {
                file,
                source: error,
            },
            _ => ReadError::Unreadable {
                file,
                source: error,
            },
        }
    }
}
