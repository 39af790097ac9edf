//! The parser behind the common log format and its extensions.
//!
//! ```text
//! client ident user [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 512 "referrer" "agent" …
//! ```
//! Nothing after the size is looked at, so a missing closing quote at the end of the line, or further
//! fields, do no harm. `ident` and `user` may be absent (the EPA log of 1995).

use super::clock::{CLF_TIME_LEN, ClfClock};
use super::evidence::Evidence;
use super::field::{leading_number, leading_status, size, status, trim_line_end};
use super::head::Head;
use super::line_evidence::line_evidence;
use super::request_line::{self, RequestLine};
use super::{FormatKind, Record, Reject, RequestTarget};
use crate::{Method, Protocol};
use memchr::{memchr, memchr3, memmem};

/// Scratch space and clock of one log.
#[derive(Debug, Default)]
pub(super) struct Clf {
    clock: ClfClock,
    scratch: Vec<u8>,
}

impl Clf {
    /// As [`super::Format::carries_state`].
    pub fn carries_state(&self) -> bool {
        self.clock.carries_state()
    }

    /// Parses a line without its virtual host.
    #[inline]
    pub fn parse<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let line = trim_line_end(line);
        if line.is_empty() {
            return Ok(None);
        }
        self.parse_from(line, b"").map(Some)
    }

    /// Parses what follows the virtual host `host`.
    #[inline]
    pub fn parse_from<'a>(
        &'a mut self,
        line: &'a [u8],
        host: &'a [u8],
    ) -> Result<Record<'a>, Reject> {
        let client = &line[..memchr(b' ', line).ok_or(Reject::NoRequestLine)?];
        let (time_us, quoted) = self.time(&line[client.len()..])?;
        let (request, answer) = match plain_request(quoted) {
            Some(found) => found,
            None => {
                let (request, answer) = cut_request(quoted)?;
                (request_line::split(request, &mut self.scratch), answer)
            }
        };
        let RequestLine {
            method,
            target,
            protocol,
        } = request;
        let Answer { status, bytes } = answer;
        Ok(Record {
            time_us: Some(time_us),
            client,
            host,
            method,
            target: RequestTarget::Url(target),
            protocol,
            status,
            bytes,
            size: None,
        })
    }

    /// The time, and what follows the request's opening quote.
    #[inline]
    fn time<'a>(&mut self, rest: &'a [u8]) -> Result<(i64, &'a [u8]), Reject> {
        const ANONYMOUS: &[u8] = b" - - [";
        let open = if rest.starts_with(ANONYMOUS) {
            ANONYMOUS.len()
        } else {
            memmem::find(rest, b" [").ok_or(Reject::BadTime)? + 2
        };
        let bracket = &rest[open..];
        if let Some((text, [b']', b' ', b'"', quoted @ ..])) =
            bracket.split_first_chunk::<CLF_TIME_LEN>()
        {
            return Ok((self.clock.read_full(text).ok_or(Reject::BadTime)?, quoted));
        }
        self.odd_time(bracket)
    }

    #[cold]
    fn odd_time<'a>(&mut self, bracket: &'a [u8]) -> Result<(i64, &'a [u8]), Reject> {
        let close = memchr(b']', bracket).ok_or(Reject::BadTime)?;
        let time_us = self.clock.read(&bracket[..close]).ok_or(Reject::BadTime)?;
        let quote = memchr(b'"', &bracket[close..]).ok_or(Reject::NoRequestLine)?;
        Ok((time_us, &bracket[close + quote + 1..]))
    }
}

/// What follows the request: status and size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Answer {
    status: u16,
    bytes: Option<u64>,
}

/// Reads the request nearly all lines have, one target without spaces, quotes or escapes and a protocol of
/// eight bytes, in one pass over the target. `None`: look more closely.
#[inline]
fn plain_request(quoted: &[u8]) -> Option<(RequestLine<'_>, Answer)> {
    const PROTOCOL_LEN: usize = b"HTTP/1.1".len();
    let (method, start) = match quoted {
        [b'G', b'E', b'T', b' ', ..] => (Method::Get, 4),
        [b'H', b'E', b'A', b'D', b' ', ..] => (Method::Head, 5),
        [b'P', b'O', b'S', b'T', b' ', ..] => (Method::Post, 5),
        _ => return None,
    };
    let end = start + memchr3(b' ', b'"', b'\\', &quoted[start..])?;
    let word = quoted.get(end + 1..end + 1 + PROTOCOL_LEN)?;
    if end == start || quoted[end] != b' ' || !word.starts_with(b"HTTP/") {
        return None;
    }
    let protocol = request_line::protocol(word);
    let (answer, rest) = answer(&quoted[end + 1 + PROTOCOL_LEN..])?;
    let certain = protocol != Protocol::Unknown && ends_answer(rest);
    certain.then_some((
        RequestLine {
            method,
            target: &quoted[start..end],
            protocol,
        },
        answer,
    ))
}

/// Reads `" 200 512` at the start of `text`; also returns what follows it.
#[inline]
fn answer(text: &[u8]) -> Option<(Answer, &[u8])> {
    let [b'"', b' ', rest @ ..] = text else {
        return None;
    };
    let status = leading_status(rest)?;
    match &rest[3..] {
        [b' ', b'-', rest @ ..] => Some((
            Answer {
                status,
                bytes: None,
            },
            rest,
        )),
        [b' ', rest @ ..] => {
            let (bytes, used) = leading_number(rest)?;
            Some((
                Answer {
                    status,
                    bytes: Some(bytes),
                },
                &rest[used..],
            ))
        }
        _ => None,
    }
}

/// Whether the size is followed by the end of the line or the next quoted field.
fn ends_answer(rest: &[u8]) -> bool {
    matches!(rest, [] | [b' '] | [b' ', b'"', ..])
}

/// Finds the end of a request that may hold quotes: the first quote with a status and a size behind it that
/// end the line or lead to the next quoted field; failing that the last one with a status and a size.
#[cold]
fn cut_request(quoted: &[u8]) -> Result<(&[u8], Answer), Reject> {
    let mut last = None;
    for at in memchr::memchr_iter(b'"', quoted) {
        if let Some((answer, rest)) = answer(&quoted[at..]) {
            last = Some((&quoted[..at], answer));
            if ends_answer(rest) {
                break;
            }
        }
    }
    last.ok_or_else(|| why_uncut(quoted))
}

/// What is wrong behind the first quote.
fn why_uncut(quoted: &[u8]) -> Reject {
    let Some(at) = memchr(b'"', quoted) else {
        return Reject::MissingQuote;
    };
    match &quoted[at + 1..] {
        [b' ', rest @ ..] if leading_status(rest).is_some() => Reject::BadSize,
        _ => Reject::BadStatus,
    }
}

/// What speaks for `kind`, the common log format, or one that goes on behind the size (`is_extended`):
/// the same parser reads both, so that the fields behind the size decide.
///
/// The lines that read as vhost-combined are told too, since this parser would take their host for the client.
pub(super) fn evidence(kind: FormatKind, head: &Head<'_>, is_extended: bool) -> Option<Evidence> {
    let mut evidence = line_evidence(kind, head)?;
    let extended = head.lines().iter().filter(|line| goes_on(line)).count();
    if (extended * 2 >= evidence.read) != is_extended {
        return None;
    }
    let vhost = line_evidence(FormatKind::VHOST_COMBINED, head);
    let vhost = vhost.map_or(0, |evidence| evidence.read);
    evidence.why += &format!("; vhost-combined {vhost}");
    Some(evidence)
}

/// Whether a quoted field follows a status and a size somewhere in the line.
fn goes_on(line: &[u8]) -> bool {
    memchr::memchr_iter(b'"', line).any(|quote| {
        let mut words = line[quote + 1..].split(|&byte| byte == b' ');
        let before = words.next() == Some(b"");
        let status = words.next().is_some_and(|word| status(word).is_some());
        let size = words.next().is_some_and(|word| size(word).is_some());
        before && status && size && words.next().is_some_and(|word| word.starts_with(b"\""))
    })
}
