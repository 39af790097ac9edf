//! CloudFront's standard log without its two header lines, as it is left when many files are joined or loaded
//! into a table: the columns of AWS, "Standard logging reference", in their documented order.
//!
//! What the columns say is the same as with the header ([`FormatKind::W3C`]).

use super::address::{is_address, is_host};
use super::evidence::Evidence;
use super::field::number;
use super::head::Head;
use super::line_evidence::line_evidence;
use super::w3c::{Column, Row, W3c};
use super::{Format, FormatKind, Record, Reject};

impl FormatKind {
    /// CloudFront's standard log without its header.
    pub const CLOUDFRONT: FormatKind =
        FormatKind::of::<CloudFront>("cloudfront", 33).known_by(evidence);
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
    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        if line.starts_with(b"#") {
            return Ok(None);
        }
        let row = self.0.row(line)?;
        check_shape(&row)?;
        self.0.record(row).map(Some)
    }
}

/// Whether the columns that no other log has in these places look as CloudFront writes them; what the rest of them
/// says is checked where it is read.
fn check_shape(row: &Row<'_>) -> Result<(), Reject> {
    let edge = row.get(Column::EdgeLocation).first_chunk::<3>();
    let is_edge = edge.is_some_and(|edge| edge.iter().all(u8::is_ascii_uppercase));
    let is_path = matches!(row.get(Column::Stem), b"" | b"-" | [b'/', ..]);
    let is_method = row.get(Column::Method).iter().all(u8::is_ascii_uppercase);
    match () {
        () if !is_edge => Err(Reject::BadField("edge location")),
        () if number(row.get(Column::Bytes)).is_none() => Err(Reject::BadSize),
        () if !is_address(row.get(Column::Client)) => Err(Reject::BadField("client")),
        () if !is_method => Err(Reject::BadMethod),
        () if !is_host(row.get(Column::Host)) => Err(Reject::BadField("host")),
        () if !is_path => Err(Reject::BadField("path")),
        () => Ok(()),
    }
}
