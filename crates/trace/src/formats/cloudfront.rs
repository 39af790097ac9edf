//! CloudFront's standard log without its two header lines, as it is left when many files are joined or loaded
//! into a table: the columns of AWS, "Standard logging reference", in their documented order.
//!
//! What the columns say is the same as with the header ([`FormatKind::W3C`]).

use super::address::{is_address, is_host};
use super::evidence::Evidence;
use super::field::{number, trim_line_end, unless_dash};
use super::head::Head;
use super::line_evidence::line_evidence;
use super::w3c::W3c;
use super::words::Words;
use super::{Format, FormatKind, Record, Reject};

impl FormatKind {
    /// CloudFront's standard log without its header.
    pub const CLOUDFRONT: FormatKind = FormatKind {
        name: "cloudfront",
        fields: 33,
        is_key_only: false,
        parser: || Box::<CloudFront>::default(),
        evidence,
    };
}

/// Lines that read, in a log without a header: one with a header is W3C, which names its columns.
fn evidence(kind: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let has_header = |line: &&[u8]| line.starts_with(b"#Fields:");
    match head.lines().iter().any(has_header) {
        true => None,
        false => line_evidence(kind, head),
    }
}

/// Reads CloudFront's standard log by the documented order of its columns.
#[derive(Debug)]
struct CloudFront(W3c);

/// The columns up to the query, which the first logs had.
const FIRST: &[u8] =
    b"date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status \
    cs(Referer) cs(User-Agent) cs-uri-query";
/// The columns that came later, up to the last one that is read.
const LATER: &[u8] = b"cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes \
    time-taken x-forwarded-for ssl-protocol ssl-cipher x-edge-response-result-type cs-protocol-version";

impl Default for CloudFront {
    fn default() -> CloudFront {
        CloudFront(W3c::of_columns(FIRST, LATER))
    }
}

impl Format for CloudFront {
    fn carries_state(&self) -> bool {
        false
    }

    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let line = trim_line_end(record);
        if line.is_empty() || line.starts_with(b"#") {
            return Ok(None);
        }
        check_shape(line)?;
        self.0.row(line).map(Some)
    }
}

/// Whether the columns up to the status look as CloudFront writes them; the row's reader checks the rest.
fn check_shape(line: &[u8]) -> Result<(), Reject> {
    let mut words = Words::separated(line, b'\t');
    let mut next = || words.word().ok_or(Reject::TooFewFields);
    let (_date, _time, edge, bytes, client) = (next()?, next()?, next()?, next()?, next()?);
    let (method, host, stem) = (next()?, next()?, next()?);
    let is_edge = edge.len() >= 3 && edge[..3].iter().all(u8::is_ascii_uppercase);
    let is_stem = stem.starts_with(b"/") || unless_dash(stem).is_empty();
    match () {
        () if !is_edge => Err(Reject::BadField("edge location")),
        () if number(bytes).is_none() => Err(Reject::BadSize),
        () if !is_address(client) => Err(Reject::BadField("client")),
        () if !method.iter().all(u8::is_ascii_uppercase) => Err(Reject::BadMethod),
        () if !is_host(host) => Err(Reject::BadField("host")),
        () if !is_stem => Err(Reject::BadField("path")),
        () => Ok(()),
    }
}
