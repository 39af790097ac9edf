//! What can go wrong with parts.

use std::io;

use hotset_trace::read::ReadError;

/// Why a part could not be made, read or merged. Every message names the input and what fixes it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PartError {
    /// A log could not be read, or a rule met nothing in all of them.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Something was asked for whose results cannot be merged.
    #[error("{what} cannot be merged exactly ({why}): leave it out")]
    CannotMerge {
        /// What was asked for.
        what: &'static str,
        /// Why its results depend on all logs.
        why: &'static str,
    },
    /// A log whose requests cannot be placed among those of others.
    #[error(
        "{file}: {detail}, so its requests cannot be put in order with those of other logs; describe it alone"
    )]
    NoOrder {
        /// The log.
        file: String,
        /// What it lacks.
        detail: &'static str,
    },
    /// More virtual hosts than sites.
    #[error(
        "{file}: with it there are more than {limit} virtual hosts, and which of them share the site \"other\" depends on the order of \
         all requests; name sites with --site"
    )]
    TooManyHosts {
        /// The part or log.
        file: String,
        /// Most hosts.
        limit: usize,
    },
    /// A file that cannot be read.
    #[error("{file}: cannot be read: {source}; check the path and its permissions")]
    Unreadable {
        /// The file.
        file: String,
        /// Why not.
        source: io::Error,
    },
    /// Not a part at all.
    #[error("{0}: not a part; make one with `hotset part LOG… -o PART`")]
    NotAPart(String),
    /// Another layout.
    #[error(
        "{file}: a part in version {found} of the format, and this hotset reads version {known}; make it again with this hotset"
    )]
    OtherVersion {
        /// The file.
        file: String,
        /// Its version.
        found: u32,
        /// The version that is read.
        known: u32,
    },
    /// The end is missing.
    #[error("{0}: ends too early; copy it again, or make it again from its logs")]
    Truncated(String),
    /// Bytes that hotset did not write.
    #[error("{file}: damaged ({detail}); copy it again, or make it again from its logs")]
    Damaged {
        /// The file.
        file: String,
        /// What is wrong.
        detail: String,
    },
    /// Read by other rules.
    #[error(
        "{file}: made with {found}, and {other} with {expected}; make both with the same options"
    )]
    OtherRules {
        /// The file.
        file: String,
        /// Its option.
        found: String,
        /// The file before it.
        other: String,
        /// That one's option.
        expected: String,
    },
    /// Clients under another key.
    #[error(
        "{file}: its clients have another key than those of {other}; make both with the same --client-key, or both with --keep-clients"
    )]
    OtherKey {
        /// The file.
        file: String,
        /// The file before it.
        other: String,
    },
    /// A log that is in two parts.
    #[error(
        "{file}: {log} is in {other} already: merge each log once; where logs of two machines have the same path, name the \
         machines with --node"
    )]
    Twice {
        /// The file.
        file: String,
        /// The log.
        log: String,
        /// The file before it.
        other: String,
    },
    /// Files of one rotated log in two parts.
    #[error(
        "{file}: {log} and {other_log} in {other} are files of one log: give all files of a log to one `hotset part`, or name \
         the machines with --node"
    )]
    SplitLog {
        /// The part.
        file: String,
        /// Its file of the log.
        log: String,
        /// The part before it.
        other: String,
        /// That one's file of the log.
        other_log: String,
    },
    /// Sizes that do not add up within 64 bits.
    #[error(
        "{file}: with it, sizes add up to more than {limit} bytes; a log is damaged or read in the wrong format"
    )]
    TooLarge {
        /// The first part.
        file: String,
        /// Most bytes.
        limit: u64,
    },
    /// Nothing to merge.
    #[error("no part given: name the files that `hotset part` wrote")]
    Nothing,
}
