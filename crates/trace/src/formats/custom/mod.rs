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
mod nginx;
mod padding;
mod pattern;
mod time;
mod token;

pub use error::PatternError;
pub(super) use field::{Field, TimeFormat};
pub(super) use padding::without_padding;
pub use pattern::Pattern;
pub(super) use time::{strptime_prefix, whole};
