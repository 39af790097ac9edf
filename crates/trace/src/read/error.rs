//! What can go wrong while reading logs.

use super::summary::Example;
use crate::formats::DetectError;
use std::io;
use std::path::PathBuf;

/// Why reading failed. Every message names the input and what fixes it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// No input was named.
    #[error("no log given: name log files, a pattern, or - for standard input")]
    NoInput,
    /// A file that does not exist.
    #[error("{}: no such file: check the path (patterns must match at least one file)", path.display())]
    NotFound {
        /// The path as given.
        path: PathBuf,
    },
    /// A directory where a file is wanted.
    #[error("{0}: is a directory: name its logs, for example {0}/*.log", path.display())]
    Directory {
        /// The path as given.
        path: PathBuf,
    },
    /// A pattern that is not one.
    #[error("{pattern}: not a pattern: {reason}")]
    Pattern {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The same file by two names or patterns would be counted twice.
    #[error("{file}: given twice: name each log once")]
    Twice {
        /// The file.
        file: String,
    },
    /// The operating system refused a read.
    #[error("{file}: cannot be read: {source}: check its permissions and the device")]
    Unreadable {
        /// The file.
        file: String,
        /// What the operating system said.
        source: io::Error,
    },
    /// A compressed file that ends early.
    #[error("{file}: compressed data end early: the file is truncated, fetch it again")]
    Truncated {
        /// The file.
        file: String,
    },
    /// A compressed file whose data are damaged.
    #[error("{file}: compressed data are damaged ({source}): fetch the file again")]
    Corrupt {
        /// The file.
        file: String,
        /// What the decoder said.
        source: io::Error,
    },
    /// Nothing in the input.
    #[error("{file}: is empty: name a log that holds requests")]
    Empty {
        /// The first empty file.
        file: String,
    },
    /// A format that was not recognised.
    #[error(transparent)]
    Format(#[from] DetectError),
    /// A rejected line under `strict`.
    #[error("{file}:{}: {reason}: {}: correct the line, or read without --strict", example.line, example.text)]
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
        "{file}: {rejected} of {lines} lines are not in the format {format} (first: line {}, {reason}: {}): \
         name the right format with --format, or split a log of mixed formats",
        example.line, example.text
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
        /// Why the first was rejected.
        reason: String,
        /// The first rejected line.
        example: Example,
    },
    /// Lines, but not one request.
    #[error("{file}: no usable request in {lines} lines: name the right format with --format")]
    NoRequests {
        /// The first file.
        file: String,
        /// Lines in all files.
        lines: u64,
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

impl ReadError {
    /// The error of a read from `file`, which may go through a decoder.
    pub(super) fn of_io(file: &str, error: io::Error) -> ReadError {
        let file = file.to_owned();
        match error.kind() {
            io::ErrorKind::UnexpectedEof => ReadError::Truncated { file },
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
