//! The pieces of a format string, whichever server it is for.

use super::field::Field;

/// A token as a dialect wrote it, with its text and place for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Written {
    pub token: Token,
    pub text: String,
    pub column: usize,
}

/// A piece of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Literal(Vec<u8>),
    Field(Field),
}

/// The dialect a format string is written in, for messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub what: &'static str,
    pub escape: &'static str,
    pub target: &'static str,
    pub status: &'static str,
}
