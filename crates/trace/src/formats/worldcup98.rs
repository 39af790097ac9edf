//! The binary logs of the 1998 World Cup web site: 20 bytes a request, big endian.
//!
//! u32 time (GMT), u32 client, u32 object, u32 size (0xFFFFFFFF: none), u8 method, u8 status, u8 type,
//! u8 server. The object is an id, so it becomes a [`RequestTarget::Key`]; type and server are not used.
//! (Arlitt and Jin, "1998 World Cup Web Site Access Logs", Internet Traffic Archive, record format.)

use super::evidence::Evidence;
use super::head::Head;
use super::{Format, FormatKind, Framing, Record, Reject, RequestTarget};
use crate::{Method, Protocol};
use std::io::Write;

/// Bytes of one record.
const RECORD_BYTES: usize = 20;
const NO_SIZE: u32 = u32::MAX;

impl FormatKind {
    /// World Cup 1998, 20-byte records.
    pub const WORLDCUP98: FormatKind =
        FormatKind::of::<WorldCup98>("worldcup98", 8).known_by(evidence);
}

/// The World Cup logs run from 30 April to 26 July 1998; a month is left on either side.
const WORLD_CUP_US: std::ops::Range<i64> = 891_388_800_000_000..904_608_000_000_000;

/// Every record is of the summer of 1998.
fn evidence(_: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let records = head.records(RECORD_BYTES)?;
    let count = records.len();
    let mut parser = WorldCup98::default();
    for record in records {
        let time_us = parser.parse(record).ok()??.time_us?;
        if !WORLD_CUP_US.contains(&time_us) {
            return None;
        }
    }
    let why = format!("all of the first {count} records of {RECORD_BYTES} bytes are of mid-1998");
    Some(Evidence::of_all(count, why))
}

/// Reads World Cup 1998 records.
#[derive(Debug, Default)]
struct WorldCup98 {
    /// The client id in decimal.
    client: Vec<u8>,
}

impl Format for WorldCup98 {
    fn framing(&self) -> Framing {
        Framing::Fixed(RECORD_BYTES)
    }

    fn parse_record<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let (words, codes) = words(record).ok_or(Reject::Truncated)?;
        let [seconds, client, object, size] = words;
        let [method_code, status_code, _, _] = codes;
        self.client.clear();
        // Writing to a vector cannot fail.
        let _ = write!(self.client, "{client}");
        Ok(Some(Record {
            time_us: Some(i64::from(seconds) * super::clock::SECOND_US),
            client: &self.client,
            host: b"",
            method: method(method_code).ok_or(Reject::BadMethod)?,
            target: RequestTarget::Key(u64::from(object)),
            protocol: protocol(status_code),
            status: status(status_code).ok_or(Reject::BadStatus)?,
            bytes: (size != NO_SIZE).then_some(u64::from(size)),
            size: None,
            took_us: None,
        }))
    }
}

/// The four words of a record and the four bytes behind them.
fn words(record: &[u8]) -> Option<([u32; 4], [u8; 4])> {
    let (words, codes) = record.split_last_chunk()?;
    let (words, rest) = words.as_chunks();
    let words: &[[u8; 4]; 4] = words.try_into().ok().filter(|_| rest.is_empty())?;
    Some((words.map(u32::from_be_bytes), *codes))
}

/// 0 GET, 1 HEAD, 2 POST, 3 PUT, 4 DELETE, 5 TRACE, 6 OPTIONS, 7 CONNECT, 8 other.
fn method(code: u8) -> Option<Method> {
    match code {
        0 => Some(Method::Get),
        1 => Some(Method::Head),
        2 => Some(Method::Post),
        3..=8 => Some(Method::Other),
        _ => None,
    }
}

/// The high two bits: 0 HTTP/0.9, 1 HTTP/1.0, 2 HTTP/1.1, 3 unknown.
fn protocol(code: u8) -> Protocol {
    match code >> 6 {
        0 | 1 => Protocol::Http10,
        2 => Protocol::Http11,
        _ => Protocol::Unknown,
    }
}

/// The low six bits, runs of statuses from 100, 200, 300, 400 and 500 on; 37 is any other status (0 here).
fn status(code: u8) -> Option<u16> {
    let code = u16::from(code & 0x3f);
    match code {
        0..=1 => Some(100 + code),
        2..=8 => Some(200 + code - 2),
        9..=14 => Some(300 + code - 9),
        15..=30 => Some(400 + code - 15),
        31..=36 => Some(500 + code - 31),
        37 => Some(0),
        _ => None,
    }
}
