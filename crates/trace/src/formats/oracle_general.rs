//! libCacheSim's `oracleGeneral` traces: 24 bytes a request, little endian.
//!
//! u32 time in seconds, u64 object id, u32 size in bytes, i64 position of the object's next request (-1:
//! none), which is not used. (libCacheSim, `libCacheSim/traceReader/customizedReader/oracle/oracleGeneralBin.h`.)

use super::evidence::{Evidence, is_enough};
use super::head::Head;
use super::keys::read_of;
use super::{Format, FormatKind, Framing, Record, Reject, RequestTarget};

/// Bytes of one record.
const RECORD_BYTES: usize = 24;

impl FormatKind {
    /// libCacheSim's oracleGeneral, 24-byte records.
    pub const ORACLE_GENERAL: FormatKind = FormatKind::of::<OracleGeneral>("oracle-general", 4)
        .key_only()
        .known_by(evidence);
}

/// Reads oracleGeneral traces. Every request is a GET answered 200 with the whole object.
#[derive(Default)]
struct OracleGeneral;

impl Format for OracleGeneral {
    fn framing(&self) -> Framing {
        Framing::Fixed(RECORD_BYTES)
    }

    fn parse_record<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let row = Row::read(record).ok_or(Reject::Truncated)?;
        let time_us = i64::from(row.seconds) * super::clock::SECOND_US;
        Ok(Some(read_of(
            RequestTarget::Key(row.id),
            Some(time_us),
            Some(u64::from(row.size)),
        )))
    }
}

/// One record's columns.
struct Row {
    seconds: u32,
    id: u64,
    size: u32,
    next: i64,
}

impl Row {
    /// Whether the object is not requested again: -1, or the greatest number in some writers' traces.
    fn is_last(&self) -> bool {
        matches!(self.next, -1 | i64::MAX)
    }

    /// `None` when `record` is not [`RECORD_BYTES`] long.
    fn read(record: &[u8]) -> Option<Row> {
        let (seconds, rest) = record.split_first_chunk()?;
        let (id, rest) = rest.split_first_chunk()?;
        let (size, next) = rest.split_first_chunk()?;
        Some(Row {
            seconds: u32::from_le_bytes(*seconds),
            id: u64::from_le_bytes(*id),
            size: u32::from_le_bytes(*size),
            next: i64::from_le_bytes(next.try_into().ok()?),
        })
    }
}

/// Each record names the row of its object's next request: later than its own, and of the same object.
fn evidence(_: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let rows: Vec<Row> = head.records(RECORD_BYTES)?.filter_map(Row::read).collect();
    let is_later = |(index, row): (usize, &Row)| row.is_last() || row.next > index as i64;
    if !rows.iter().enumerate().all(is_later) {
        return None;
    }
    // Writers count rows from 0 or from 1.
    let (links, kept) = [links(&rows, 0), links(&rows, 1)]
        .into_iter()
        .max_by_key(|&(_, kept)| kept)?;
    let all_last = || rows.iter().all(Row::is_last);
    let enough = if links > 0 {
        is_enough(kept, links)
    } else {
        all_last()
    };
    let count = rows.len();
    enough.then(|| {
        let why = format!("of the first {count} records of {RECORD_BYTES} bytes {links} name a next one of the same object, {kept} rightly");
        Evidence::of_all(count, why)
    })
}

/// How many rows name a next row that is at hand, counting from `first`, and how many of those rightly.
fn links(rows: &[Row], first: i64) -> (usize, usize) {
    let next = |row: &Row| rows.get(usize::try_from(row.next - first).ok()?);
    let named = rows.iter().filter(|row| !row.is_last());
    let named = named.filter_map(|row| Some((row, next(row)?)));
    named.fold((0, 0), |(links, kept), (row, next)| {
        (links + 1, kept + usize::from(next.id == row.id))
    })
}
