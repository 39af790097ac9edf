//! Text formats given as an nginx `log_format` or an Apache `LogFormat` string.
//!
//! A directive is reduced to its string (`directive`), the string cut into tokens (`nginx`, `apache`), the tokens
//! compiled into a list (`compile`) that reads lines (`pattern`). Variables and directives that say nothing about
//! a request that hotset uses are skipped fields.

mod apache;
mod compile;
mod directive;
mod error;
mod field;
mod guess;
mod nginx;
mod pattern;
mod time;
mod token;

pub use error::PatternError;
pub(in crate::formats) use guess::{GuessedString, guess};
pub use pattern::Pattern;
