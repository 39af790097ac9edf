//! Log formats: what one record of each says about one request.
//!
//! A [`Format`] turns one record (a line, or a fixed number of bytes) into a [`Record`], or says why it
//! cannot ([`Reject`]). Formats know nothing of files, compression, rules or object ids: a format borrows
//! from the record and from its own scratch space and never allocates per line.
//!
//! To add a format: one file with a type that implements [`Format`], one entry in [`FormatKind`], one
//! candidate in [`detect`] and hand-written lines in `tests/formats_*.rs`.

mod caddy;
mod clf;
mod clock;
mod combined;
mod common;
mod csv;
pub mod custom;
mod detect;
mod escapes;
mod field;
mod json;
mod keys;
mod kind;
mod nginx;
mod oracle_general;
mod request_line;
mod squid;
mod traefik;
mod vhost_combined;
mod w3c;
mod worldcup98;

pub use caddy::Caddy;
pub use combined::Combined;
pub use common::Common;
pub use csv::Csv;
pub use detect::{DetectError, Detection, detect};
pub use keys::{KeyLayout, Keys};
pub use kind::{FormatKind, UnknownFormat};
pub use nginx::Nginx;
pub use oracle_general::OracleGeneral;
pub use squid::Squid;
pub use traefik::Traefik;
pub use vhost_combined::VhostCombined;
pub use w3c::W3c;
pub use worldcup98::WorldCup98;

use crate::{Method, Protocol};

/// What a request asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// A URL target as it stands in the log (percent-encoded, log escapes undone); empty where the log
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
    pub target: Target<'a>,
    /// Protocol version.
    pub protocol: Protocol,
    /// Response status; 200 where the format has none, 0 where the log says `000` or `-`.
    pub status: u16,
    /// Response bytes as logged; `None` where the log says `-` or nothing.
    pub bytes: Option<u64>,
    /// Size of the object in bytes, where the format knows it apart from the response.
    pub size: Option<u64>,
}

/// How an input is cut into records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Lines that end in LF; a format strips a CR before it by itself. The last may lack its LF.
    Lines,
    /// Records of this many bytes, never 0.
    Fixed(usize),
}

/// The byte order mark in UTF-8 (the Unicode Standard, §23.8), which belongs to no line.
pub(crate) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Why a record is not a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Reject {
    /// Nothing where the format has its request.
    #[error("no request line")]
    NoRequestLine,
    /// The quoted request does not end in a quote, a status and a size.
    #[error("missing closing quote")]
    MissingQuote,
    /// No timestamp, or one that is no time.
    #[error("bad time")]
    BadTime,
    /// The status is not a number of three digits.
    #[error("bad status")]
    BadStatus,
    /// A code that stands for no method.
    #[error("bad method")]
    BadMethod,
    /// The size is neither a number nor `-`, or larger than any file is.
    #[error("bad size")]
    BadSize,
    /// The key is not a number the format can hold, or empty.
    #[error("bad key")]
    BadKey,
    /// Fewer fields than the format has.
    #[error("too few fields")]
    TooFewFields,
    /// The first field is not a virtual host followed by a client.
    #[error("no virtual host")]
    NoVirtualHost,
    /// Not a JSON object.
    #[error("not JSON")]
    NotJson,
    /// JSON, but not the fields of a request.
    #[error("JSON without the fields of a request")]
    NotARequest,
    /// Rows before any `#Fields:` directive, or one without the columns that are needed.
    #[error("no usable #Fields: directive before this line")]
    NoFieldsDirective,
    /// The line does not have the shape of the custom pattern.
    #[error("does not match the pattern")]
    NoMatch,
    /// The record is shorter than the format's records.
    #[error("truncated record")]
    Truncated,
}

/// One log format.
///
/// Records are handed over in the order of the input: some formats keep what an earlier line said (the
/// columns of W3C logs, the month of times without one).
pub trait Format: Send {
    /// The name that `--format` takes, or `custom`.
    fn name(&self) -> &'static str;

    /// How the input is cut into records.
    fn framing(&self) -> Framing {
        Framing::Lines
    }

    /// Reads one record. `Ok(None)`: it carries no request (blank line, `#Fields:` directive, CSV header).
    ///
    /// # Errors
    /// The reason why the record is not a request; the next record can be parsed all the same.
    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject>;
}
