//! One request as its log states it.

use crate::{Method, Protocol};

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestTarget<'a> {
    /// A URL as it stands in the log (percent-encoded, log escapes undone); empty where the log
    /// names none (`"-"`: the client went away before it sent a request).
    Url(&'a [u8]),
    /// The key of a key-only trace.
    Key(u64),
}

/// One request as a format found it, borrowed from the record or from the format's scratch space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Arrival (or, where the format says no better, logging) in microseconds since 1970-01-01 UTC.
    /// `None`: the format has no times.
    pub time_us: Option<i64>,
    /// Client as logged: an address, a name or a number; empty where the format names none.
    pub client: &'a [u8],
    /// Virtual host without its port; empty where the format does not say.
    pub host: &'a [u8],
    /// Request method; `Get` where the format has none.
    pub method: Method,
    /// What is asked for.
    pub target: RequestTarget<'a>,
    /// Protocol version.
    pub protocol: Protocol,
    /// Response status; 200 where the format has none, 0 where the log says `000` or `-`.
    pub status: u16,
    /// Response bytes as logged; `None` where the log says `-` or nothing.
    pub bytes: Option<u64>,
    /// Size of the object in bytes, where the format knows it apart from the response.
    pub size: Option<u64>,
    /// How long the server took for the answer, in microseconds, where the format has that and it can be read.
    pub took_us: Option<u64>,
}
