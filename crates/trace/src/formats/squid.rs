//! Squid's native access log: `time elapsed client tag/status bytes method URL user hierarchy/peer type`.
//!
//! Fields are separated by runs of spaces. The time is that of completion, so arrival is `time - elapsed`.
//! `bytes` is what went to the client, headers included: object sizes read from it are a little too large.
//! (Squid wiki, "Squid Log Files".)

use super::clock::{bounded, epoch_seconds_us, epoch_us};
use super::field::{number, size, status, unless_dash};
use super::{Format, FormatKind, Record, Reject, RequestTarget, request_line};
use crate::Protocol;

impl FormatKind {
    /// Squid's native access log.
    pub const SQUID: FormatKind = FormatKind::of::<Squid>("squid", 10);
}

/// Reads Squid's native log.
#[derive(Default)]
struct Squid;

const MILLISECOND_US: i64 = 1_000;

impl Format for Squid {
    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let mut fields = line
            .split(|&byte| byte == b' ')
            .filter(|field| !field.is_empty());
        let mut next = || fields.next().ok_or(Reject::TooFewFields);
        let (time, elapsed, client, result) = (next()?, next()?, next()?, next()?);
        let (bytes, method, url) = (next()?, next()?, next()?);
        let time_us = arrival_us(time, elapsed).ok_or(Reject::BadTime)?;
        let status = result_status(result).ok_or(Reject::BadStatus)?;
        let (host, target) = locate(url);
        Ok(Some(Record {
            time_us: Some(time_us),
            client: unless_dash(client),
            host,
            method: request_line::method(method),
            target: RequestTarget::Url(target),
            protocol: Protocol::Unknown,
            status,
            bytes: size(bytes).ok_or(Reject::BadSize)?,
            size: None,
            took_us: number(elapsed).map(|elapsed_ms| elapsed_ms.saturating_mul(1000)),
        }))
    }
}

/// Squid logs an elapsed time below zero when the clock was set back; it then counts as none.
fn arrival_us(time: &[u8], elapsed: &[u8]) -> Option<i64> {
    let completed = epoch_seconds_us(time)?;
    let elapsed_ms = match elapsed {
        [b'-', digits @ ..] => number(digits).map(|_| 0)?,
        digits => number(digits)?,
    };
    bounded(completed - epoch_us(elapsed_ms, MILLISECOND_US)?)
}

/// The status behind a result tag. Tags are composed (`TCP_CF_REFRESH_MODIFIED_ABORTED`), so only their
/// alphabet is checked.
fn result_status(result: &[u8]) -> Option<u16> {
    let slash = memchr::memchr(b'/', result)?;
    let tag = &result[..slash];
    let composed = tag
        .iter()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    if tag.is_empty() || !composed {
        return None;
    }
    status(&result[slash + 1..])
}

/// Host and path of an absolute URL; anything else (`host:443` of a CONNECT, `error:…`) stays as it is.
fn locate(url: &[u8]) -> (&[u8], &[u8]) {
    request_line::split_url(url).unwrap_or((b"", unless_dash(url)))
}
