//! What the JSON formats share: one parsed line's strings, kept in scratch space.

use super::Reject;
use serde::Deserialize;
use std::borrow::Cow;

/// The texts of one request, copied out of the line (JSON strings may hold escapes).
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub client: Vec<u8>,
    pub host: Vec<u8>,
    pub target: Vec<u8>,
}

impl Texts {
    pub fn set(&mut self, client: &str, host: &str, target: &str) {
        for (kept, text) in [
            (&mut self.client, client),
            (&mut self.host, host),
            (&mut self.target, target),
        ] {
            kept.clear();
            kept.extend_from_slice(text.as_bytes());
        }
    }
}

/// A time as a number or as text.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Time<'a> {
    Number(f64),
    #[serde(borrow)]
    Text(Cow<'a, str>),
}

/// Parses a line, telling text that is not a JSON object from one that lacks a request's fields.
pub(super) fn object<'a, T: Deserialize<'a>>(line: &'a [u8]) -> Result<T, Reject> {
    if !line.starts_with(b"{") {
        return Err(Reject::NotJson);
    }
    serde_json::from_slice(line).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => Reject::NotARequest,
        _ => Reject::NotJson,
    })
}

/// A status from a JSON number; 0 where there was no answer.
pub(super) fn status(number: u64) -> Result<u16, Reject> {
    u16::try_from(number)
        .ok()
        .filter(|&status| status <= 999)
        .ok_or(Reject::BadStatus)
}
