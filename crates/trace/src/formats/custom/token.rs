//! The pieces of a format string, whichever server it is for.

use super::error::PatternError;
use super::field::Field;

/// A token as a dialect wrote it, with its text and place for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WrittenToken {
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

/// Tokens, and the length of the text that stands for them.
pub(super) type Piece = (Vec<Token>, usize);

/// The dialect a format string is written in.
pub(super) struct Dialect {
    /// What text begins with, at a column of the format string.
    pub piece: fn(&str, usize) -> Result<Piece, PatternError>,
    /// For messages.
    pub what: &'static str,
    pub escape: &'static str,
    pub time: &'static str,
    pub target: &'static str,
    pub status: &'static str,
}

impl Dialect {
    /// Splits a format string into tokens.
    pub fn tokens(&self, format: &str) -> Result<Vec<WrittenToken>, PatternError> {
        let mut tokens = Vec::new();
        let mut at = 0;
        while at < format.len() {
            let column = format[..at].chars().count() + 1;
            let (pieces, length) = (self.piece)(&format[at..], column)?;
            let text = &format[at..at + length];
            tokens.extend(pieces.into_iter().map(|token| WrittenToken {
                token,
                text: text.to_owned(),
                column,
            }));
            at += length;
        }
        Ok(tokens)
    }

    /// What is said of `found`, which is nothing in this dialect.
    pub fn broken(&self, found: String, column: usize) -> PatternError {
        PatternError::Syntax {
            found,
            column,
            what: self.what,
            fix: self.escape,
        }
    }
}
