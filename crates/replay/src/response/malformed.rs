//! Why a response cannot be read.

/// What was received is not an HTTP/1 response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an HTTP/1 response: {0}")]
pub struct Malformed(pub &'static str);
