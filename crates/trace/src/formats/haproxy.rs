//! HAProxy's HTTP log (HAProxy configuration manual, "HTTP log format" and "HTTPS log format"), behind a syslog
//! prefix or without one:
//! `client:port [time] frontend backend/server ms/ms/ms/ms/ms status bytes cookie cookie state 1/1/1/1/0 0/0
//! {captured|request headers} {response headers} "request"`.
//!
//! The time, with milliseconds, is that of arrival; it is local and names no zone. `bytes` is what
//! went to the client, headers too. The host is that of an absolute URL, as in HTTP/2; else the captured request
//! header that is a domain name, since captured headers stand without their names; else the server name of TLS
//! that the HTTPS log has.

use super::address::{before_port, is_domain};
use super::clock::{ClfClock, fraction_us};
use super::escapes::hex;
use super::evidence::Evidence;
use super::field::{number, status, without_port};
use super::head::Head;
use super::line_evidence::{count_lines, line_evidence};
use super::words::Words;
use super::{Format, FormatKind, Record, Reject, RequestTarget, request_line};
use crate::Zone;
use memchr::{memchr, memchr_iter, memrchr};

impl FormatKind {
    /// HAProxy's HTTP log.
    pub const HAPROXY: FormatKind = FormatKind::of::<HaProxy>("haproxy", 18).known_by(evidence);
}

/// Lines that read, and what their hosts are taken from.
fn evidence(kind: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let is_captured = |line: &[u8], record: &Record<'_>| captured_host(line) == Some(record.host);
    let (captured, _) = count_lines(kind, head, is_captured);
    let doubt = (captured > 0).then(|| {
        "captured headers stand without their names, and the first that is a domain name counts as the host: if that \
         header is not Host, do not capture it"
            .into()
    });
    Some(line_evidence(kind, head)?.with_doubt(doubt))
}

/// The captured header of a line that looks like a host.
fn captured_host(line: &[u8]) -> Option<&[u8]> {
    let (_, _, behind) = cut_time(line)?;
    let mut words = Words::of(behind);
    answer(&mut words).ok()?;
    End::of(words.rest()).ok()?.captured_host()
}

/// Reads HAProxy's HTTP log.
#[derive(Debug, Default)]
struct HaProxy {
    clock: ClfClock,
    unescaped: Vec<u8>,
    scratch: Vec<u8>,
}

/// Bytes of `06/Feb/2009:12:14:14` and of its milliseconds `.655`.
const SECONDS_LEN: usize = 20;
const TIME_LEN: usize = SECONDS_LEN + 4;

impl Format for HaProxy {
    fn set_zone(&mut self, zone: &Zone) {
        self.clock.set_zone(zone);
    }

    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let (before, time, behind) = cut_time(line).ok_or(Reject::BadTime)?;
        let mut words = Words::of(behind);
        let Answer {
            status,
            bytes,
            took_us,
        } = answer(&mut words)?;
        let end = End::of(words.rest())?;
        let time_us = self.time_us(time).ok_or(Reject::BadTime)?;
        let request = unescaped(end.request, &mut self.unescaped);
        let request = request_line::split(request, &mut self.scratch);
        let (url_host, target) =
            request_line::split_url(request.target).unwrap_or((b"", request.target));
        Ok(Some(Record {
            time_us: Some(time_us),
            client: client(before).ok_or(Reject::BadField("client"))?,
            host: match url_host {
                b"" => end.host(),
                host => host,
            },
            target: RequestTarget::Url(target),
            status,
            bytes: Some(bytes),
            took_us,
            ..request.record()
        }))
    }
}

impl HaProxy {
    fn time_us(&mut self, text: &[u8; TIME_LEN]) -> Option<i64> {
        let (seconds, fraction) = text.split_at(SECONDS_LEN);
        let fraction = fraction.strip_prefix(b".")?;
        Some(self.clock.read(seconds)? + fraction_us(fraction)?)
    }
}

/// A line before, in and behind its time in brackets. A syslog prefix may hold brackets too.
fn cut_time(line: &[u8]) -> Option<(&[u8], &[u8; TIME_LEN], &[u8])> {
    memchr_iter(b'[', line).find_map(|open| {
        let before = line[..open].strip_suffix(b" ")?;
        let (time, rest) = line[open + 1..].split_first_chunk::<TIME_LEN>()?;
        let is_time = time[2] == b'/' && time[SECONDS_LEN] == b'.';
        let behind = rest.strip_prefix(b"] ").filter(|_| is_time)?;
        Some((before, time, behind))
    })
}

/// The client, the last word before the time; `unix` where it came by a local socket.
fn client(before: &[u8]) -> Option<&[u8]> {
    let start = memrchr(b' ', before).map_or(0, |space| space + 1);
    match &before[start..] {
        local if local.starts_with(b"unix:") => Some(&local[..4]),
        word => before_port(word),
    }
}

/// What was answered.
struct Answer {
    status: u16,
    bytes: u64,
    took_us: Option<u64>,
}

/// The answer, from the frontend's name to the queues.
fn answer(words: &mut Words<'_>) -> Result<Answer, Reject> {
    let mut next = || words.word().ok_or(Reject::TooFewFields);
    let (_frontend, server, timers) = (next()?, next()?, next()?);
    let (answered, bytes) = (next()?, next()?);
    let (_request_cookie, _response_cookie, _state) = (next()?, next()?, next()?);
    let (connections, queues) = (next()?, next()?);
    if memchr(b'/', server).is_none() {
        return Err(Reject::BadField("server"));
    }
    if !has_numbers(timers, 5) || !has_numbers(connections, 5) || !has_numbers(queues, 2) {
        return Err(Reject::BadField("timer or counter"));
    }
    let status = status_code(answered).ok_or(Reject::BadStatus)?;
    // `+` marks what was logged before the answer's end.
    let bytes = number(bytes.strip_prefix(b"+").unwrap_or(bytes)).ok_or(Reject::BadSize)?;
    Ok(Answer {
        status,
        bytes,
        took_us: total_us(timers),
    })
}

/// The last of the timers, from the request's first byte to the answer's last, in milliseconds.
fn total_us(timers: &[u8]) -> Option<u64> {
    let last = timers.rsplit(|&byte| byte == b'/').next()?;
    let total_ms = number(last.strip_prefix(b"+").unwrap_or(last))?;
    Some(total_ms.saturating_mul(1000))
}

/// A status; `-1` or 0 where there was no answer.
fn status_code(word: &[u8]) -> Option<u16> {
    match word {
        b"-1" | b"0" => Some(0),
        b"-" => None,
        word => status(word),
    }
}

/// Whether `word` is `count` numbers with slashes between them, each with a sign or not.
fn has_numbers(word: &[u8], count: usize) -> bool {
    let (mut ended, mut before) = (0, b'/');
    for &byte in word {
        match (before, byte) {
            (_, b'0'..=b'9') | (b'/', b'+' | b'-') => {}
            (b'0'..=b'9', b'/') => ended += 1,
            _ => return false,
        }
        before = byte;
    }
    ended + 1 == count && before.is_ascii_digit()
}

/// What stands behind the queues.
struct End<'a> {
    /// The captured headers in the first braces.
    captured: &'a [u8],
    request: &'a [u8],
    /// The server name of TLS.
    server_name: &'a [u8],
}

impl<'a> End<'a> {
    fn of(text: &'a [u8]) -> Result<End<'a>, Reject> {
        let (captured, text) = cut_braces(text);
        let (_of_response, text) = cut_braces(text);
        let quoted = text.strip_prefix(b"\"").ok_or(Reject::NoRequestLine)?;
        // Quotes inside the request are escaped (`#22`).
        let end = memchr(b'"', quoted).ok_or(Reject::MissingQuote)?;
        Ok(End {
            captured,
            request: &quoted[..end],
            server_name: server_name(&quoted[end + 1..]).unwrap_or_default(),
        })
    }

    /// The host, as far as the line names one besides its URL.
    fn host(&self) -> &'a [u8] {
        self.captured_host().unwrap_or(self.server_name)
    }

    /// The first captured header that is a domain name, without its port.
    fn captured_host(&self) -> Option<&'a [u8]> {
        let mut captured = self.captured.split(|&byte| byte == b'|');
        captured.find(|header| is_domain(header)).map(without_port)
    }
}

/// The text in the braces that `text` begins with, and what follows them. Braces inside are escaped.
fn cut_braces(text: &[u8]) -> (&[u8], &[u8]) {
    let cut = || {
        let inside = text.strip_prefix(b"{")?;
        let end = memchr(b'}', inside)?;
        Some((&inside[..end], inside[end + 1..].strip_prefix(b" ")?))
    };
    cut().unwrap_or((b"", text))
}

/// The name in ` 0/0000000000000000/0/0/0 name/TLSv1.3/cipher`, which the HTTPS log has behind the request.
fn server_name(text: &[u8]) -> Option<&[u8]> {
    let mut words = text.strip_prefix(b" ")?.split(|&byte| byte == b' ');
    let (_errors, tls) = (words.next()?, words.next()?);
    let mut parts = tls.split(|&byte| byte == b'/');
    let name = parts.next()?;
    let is_tls = parts
        .next()
        .is_some_and(|version| version.starts_with(b"TLSv"));
    (is_tls && is_domain(name)).then_some(name)
}

/// `text` with HAProxy's escapes, `#` and two hexadecimal digits, undone in `scratch` (manual,
/// "Non-printable characters").
fn unescaped<'a>(text: &'a [u8], scratch: &'a mut Vec<u8>) -> &'a [u8] {
    if memchr(b'#', text).is_none() {
        return text;
    }
    scratch.clear();
    let mut rest = text;
    while let Some(at) = memchr(b'#', rest) {
        let escape = match rest[at + 1..] {
            [high, low, ..] => hex(high).zip(hex(low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        scratch.extend_from_slice(&rest[..at]);
        scratch.push(escape.unwrap_or(b'#'));
        rest = &rest[at + if escape.is_some() { 3 } else { 1 }..];
    }
    scratch.extend_from_slice(rest);
    scratch
}
