//! libCacheSim's `oracleGeneral` traces: 24 bytes a request, little endian.
//!
//! u32 time in seconds, u64 object id, u32 size in bytes, i64 position of the object's next request (-1:
//! none), which is not used. (libCacheSim, `libCacheSim/traceReader/customizedReader/oracle/oracleGeneralBin.h`.)

use super::keys::read_of;
use super::{Format, Framing, Record, Reject, Target};

/// Bytes of one record.
pub(super) const RECORD_BYTES: usize = 24;

/// Reads oracleGeneral traces. Every request is a GET answered 200 with the whole object.
#[derive(Clone, Copy, Debug, Default)]
pub struct OracleGeneral;

impl Format for OracleGeneral {
    fn name(&self) -> &'static str {
        "oracle-general"
    }

    fn framing(&self) -> Framing {
        Framing::Fixed(RECORD_BYTES)
    }

    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let row = Row::read(record).ok_or(Reject::Truncated)?;
        let time_us = i64::from(row.seconds) * super::clock::SECOND_US;
        Ok(Some(read_of(
            Target::Key(row.id),
            Some(time_us),
            Some(u64::from(row.size)),
        )))
    }
}

/// One record's columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub seconds: u32,
    pub id: u64,
    pub size: u32,
    pub next: i64,
}

impl Row {
    /// Whether the object is not requested again: -1, or the greatest number in some writers' traces.
    pub fn is_last(&self) -> bool {
        matches!(self.next, -1 | i64::MAX)
    }

    /// `None` when `record` is not [`RECORD_BYTES`] long.
    pub fn read(record: &[u8]) -> Option<Row> {
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
