//! The parser behind the common log format and its extensions.
//!
//! ```text
//! client ident user [17/May/2015:10:05:03 +0000] "GET /a HTTP/1.1" 200 512 "referrer" "agent" …
//! ```
//! Nothing after the size is looked at, so a missing closing quote at the end of the line, or further
//! fields, do no harm. `ident` and `user` may be absent (the EPA log of 1995).

use super::answer_words::AnswerWords;
use super::behind_size;
use super::clock::{CLF_TIME_LEN, ClfClock};
use super::evidence::Evidence;
use super::field::{leading_number, leading_status};
use super::head::Head;
use super::request_line::{self, RequestLine};
use super::words_before_time::{self as words, WordOrder, is_address};
use super::{Format, FormatKind, Record, Reject, RequestTarget};
use crate::{Protocol, Zone};
use memchr::{memchr, memchr3, memmem};
use std::marker::PhantomData;

/// Scratch space and clock of one log.
#[derive(Debug, Default)]
struct Clf {
    clock: ClfClock,
    scratch: Vec<u8>,
}

impl Clf {
    /// Parses a line without its virtual host, `host`, which is empty where there is none. It always holds a record: the
    /// option is that of [`super::Format::parse`], since a record is not copied where the same is returned.
    #[inline]
    fn parse_from<'a>(
        &'a mut self,
        line: &'a [u8],
        host: &'a [u8],
    ) -> Result<Option<Record<'a>>, Reject> {
        let first = &line[..memchr(b' ', line).ok_or(Reject::NoRequestLine)?];
        let (time_us, quoted) = self.time(&line[first.len()..])?;
        let client = if matches!(first, [b'-'] | [.., b',']) {
            forwarded_client(line)
        } else {
            first
        };
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
        Ok(Some(Record {
            time_us: Some(time_us),
            client,
            host,
            method,
            target: RequestTarget::Url(target),
            protocol,
            status,
            bytes,
            size: None,
            took_us: None,
        }))
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
        let quoted = bracket[close + 1..].trim_ascii_start().strip_prefix(b"\"");
        Ok((time_us, quoted.ok_or(Reject::NoRequestLine)?))
    }
}

/// Where the common log format begins in a line of its family, and the line's virtual host.
pub(super) trait Layout: Default + Send {
    /// What of the line is in the common log format, and the host, empty where there is none.
    fn cut(line: &[u8]) -> Result<(&[u8], &[u8]), Reject>;
}

/// Lines in the common log format from their beginning.
#[derive(Debug, Default)]
pub(super) struct CommonLayout;

impl Layout for CommonLayout {
    #[inline]
    fn cut(line: &[u8]) -> Result<(&[u8], &[u8]), Reject> {
        Ok((line, b""))
    }
}

/// Reads a format of the family, by its layout.
#[derive(Debug, Default)]
pub(super) struct Family<L> {
    clf: Clf,
    layout: PhantomData<L>,
}

impl<L: Layout> Format for Family<L> {
    fn carries_state(&self) -> bool {
        self.clf.clock.carries_state()
    }

    fn set_zone(&mut self, zone: &Zone) {
        self.clf.clock.set_zone(zone);
    }

    #[inline]
    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let (line, host) = L::cut(line)?;
        self.clf.parse_from(line, host)
    }
}

/// The client where the first word is one of a list of forwarded addresses, or `-` in front of an address.
#[cold]
fn forwarded_client(line: &[u8]) -> &[u8] {
    let mut words = line.split(|&byte| byte == b' ');
    let first = words.next().unwrap_or(b"-");
    let client = match words.next() {
        Some(second) if first == b"-" && is_address(second) => second,
        _ => first,
    };
    client.strip_suffix(b",").unwrap_or(client)
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
    let (method, text) = request_line::cut_usual_method(quoted)?;
    let end = memchr3(b' ', b'"', b'\\', text)?;
    let word = text.get(end + 1..end + 1 + PROTOCOL_LEN)?;
    if end == 0 || text[end] != b' ' || !word.starts_with(b"HTTP/") {
        return None;
    }
    let protocol = request_line::protocol(word);
    let (answer, rest) = answer(&text[end + 1 + PROTOCOL_LEN..])?;
    let certain = protocol != Protocol::Unknown && ends_answer(rest);
    certain.then_some((
        RequestLine {
            method,
            target: &text[..end],
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
            let rest = &rest[used..];
            let answer = Answer {
                status,
                bytes: Some(bytes),
            };
            // A number that goes on (`0.005`) is a time, and not a size.
            matches!(rest, [] | [b' ', ..]).then_some((answer, rest))
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
pub(super) fn evidence(kind: FormatKind, head: &Head<'_>, is_extended: bool) -> Option<Evidence> {
    let (client, nothing) = (WordOrder::Client, WordOrder::NothingClient);
    let own = match words::second_varies_more(head) {
        true => &[client, nothing][..],
        false => &[client, nothing, WordOrder::TwoAddresses],
    };
    let evidence = words::evidence(kind, head, own, &[])?;
    let extended = head.lines().iter().filter(|line| goes_on(line)).count();
    let doubt = two_addresses(head).or_else(|| unread(kind, head));
    ((extended * 2 >= evidence.read) == is_extended).then(|| evidence.with_doubt(doubt))
}

/// What the fields behind the status may say that is not read.
pub(super) fn unread(kind: FormatKind, head: &Head<'_>) -> Option<String> {
    second_number(head).or_else(|| behind_size::doubt(kind, head))
}

/// What the first of two addresses may be besides the client.
fn two_addresses(head: &Head<'_>) -> Option<String> {
    words::is_usual(head, WordOrder::TwoAddresses).then(|| {
        "its lines begin with two addresses, and the first takes more values, so that it counts as the \
         client: if that is the second, name the format proxy-combined"
            .into()
    })
}

/// What a whole number behind the size may be.
fn second_number(head: &Head<'_>) -> Option<String> {
    let lines = head.lines();
    let found = lines.iter().filter(|line| number_follows_size(line));
    (found.count() * 2 > lines.len()).then(|| {
        "two whole numbers follow the status, and the first counts as the size: if that is the second, \
         give the log's format string"
            .into()
    })
}

/// Whether a quoted field follows a status and a size.
fn goes_on(line: &[u8]) -> bool {
    AnswerWords::of(line).is_some_and(|it| it.rest.starts_with(b"\""))
}

/// Whether a whole number follows a status and a size.
fn number_follows_size(line: &[u8]) -> bool {
    AnswerWords::of(line).is_some_and(|it| it.number_follows())
}
