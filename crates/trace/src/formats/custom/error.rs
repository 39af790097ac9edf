//! What can be wrong with a format string.

/// Why a format string cannot be used. Columns count characters from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// Neither `$variable` nor `%directive` in it.
    #[error(
        "the format string '{0}' names no field; write it as an nginx log_format ($remote_addr …) or an Apache LogFormat (%h …)"
    )]
    NoFields(String),
    /// A directive copied from a server's configuration in part, and what is wrong with it.
    #[error("{0}; copy the whole directive, up to its `;` or the end of its line")]
    Directive(&'static str),
    /// A `$` or `%` that begins no variable or directive.
    #[error(
        "the format string has '{found}' at column {column}, which is not an {what}; to mean the character itself, write {fix}"
    )]
    Syntax {
        /// What stands there.
        found: String,
        /// Where it begins.
        column: usize,
        /// "nginx variable" or "Apache directive".
        what: &'static str,
        /// How to write the character itself.
        fix: &'static str,
    },
    /// Two fields without anything between them.
    #[error(
        "nothing separates '{first}' from '{second}' at column {column} of the format string, so lines cannot be split there; log a character between them"
    )]
    Unseparated {
        /// The field before.
        first: String,
        /// The field after.
        second: String,
        /// Where `second` begins.
        column: usize,
    },
    /// No field holds what is asked for; these would.
    #[error("the format string logs no request path; log {0}")]
    NoTarget(&'static str),
    /// No field holds the status; this one would.
    #[error("the format string logs no status; log {0}")]
    NoStatus(&'static str),
    /// A time format, and no field that it is of; this one would be.
    #[error("the format string logs no time, which the time format is for; log {0}")]
    NoTime(&'static str),
    /// A time format that can never be read.
    #[error(
        "the time format '{format}' cannot be used: {reason}; give a strptime format such as %d/%b/%Y:%H:%M:%S %z"
    )]
    TimeFormat {
        /// The time format.
        format: String,
        /// What is wrong with it.
        reason: String,
    },
}
