//! The server access log of Amazon S3 (AWS, "Amazon S3 server access log format"):
//! `owner bucket [time] address requester id operation key "request" status error bytes size milliseconds
//! milliseconds "referrer" "agent" …`.
//!
//! The time is that of arrival. The host is the bucket, which the URL names by its host or by its path. The
//! operation says what a request is: `REST.GET.OBJECT` and `WEBSITE.GET.OBJECT` read the object whose key is the
//! path. Operations on anything else, such as `REST.GET.BUCKET` and `REST.GET.OBJECT_TAGGING`, name no file. S3
//! percent-encodes keys once more than the client did in most operations, which is undone. `bytes` is the body sent,
//! where `-` is none. The object's size is a field of its own.

use super::address::is_address;
use super::clock::{CLF_TIME_LEN, ClfClock};
use super::field::{size, status, unless_dash};
use super::words::Words;
use super::{Format, FormatKind, Record, Reject, RequestTarget, request_line, twice_encoded};
use crate::{Method, Protocol};

impl FormatKind {
    /// The server access log of Amazon S3.
    pub const S3: FormatKind = FormatKind::of::<S3>("s3", 26);
}

/// Reads the server access log of S3.
#[derive(Debug, Default)]
struct S3 {
    clock: ClfClock,
    path: Vec<u8>,
}

impl Format for S3 {
    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let mut words = Words::of(line);
        let (_owner, bucket) = (word(&mut words)?, word(&mut words)?);
        let time = words.bracketed().ok_or(Reject::BadTime)?;
        let (client, _requester, _id) = (word(&mut words)?, word(&mut words)?, word(&mut words)?);
        let operation = Operation::of(word(&mut words)?).ok_or(Reject::BadField("operation"))?;
        let key = word(&mut words)?;
        let request = request(&mut words).ok_or(Reject::MissingQuote)?;
        let (answered, _error, bytes) = (word(&mut words)?, word(&mut words)?, word(&mut words)?);
        let (object_bytes, total_ms) = (word(&mut words)?, word(&mut words)?);
        let total_ms = size(total_ms).ok_or(Reject::BadField("total time"))?;
        Ok(Some(Record {
            time_us: Some(self.time_us(time).ok_or(Reject::BadTime)?),
            client: address(client).ok_or(Reject::BadField("client"))?,
            host: bucket_name(bucket).ok_or(Reject::BadField("bucket"))?,
            method: operation.method,
            target: RequestTarget::Url(path(operation.key(key), &mut self.path)),
            protocol: protocol(request),
            status: status(answered).ok_or(Reject::BadStatus)?,
            bytes: Some(size(bytes).ok_or(Reject::BadSize)?.unwrap_or(0)),
            size: size(object_bytes).ok_or(Reject::BadSize)?,
            took_us: total_ms.map(|total_ms| total_ms.saturating_mul(1000)),
        }))
    }
}

impl S3 {
    fn time_us(&mut self, text: &[u8]) -> Option<i64> {
        let text: &[u8; CLF_TIME_LEN] = text.try_into().ok()?;
        self.clock.read_full(text)
    }
}

fn word<'a>(words: &mut Words<'a>) -> Result<&'a [u8], Reject> {
    words.word().ok_or(Reject::TooFewFields)
}

/// The request line; `-` where S3 did the work by itself.
fn request<'a>(words: &mut Words<'a>) -> Option<&'a [u8]> {
    match words.rest() {
        [b'-', b' ', ..] => words.word(),
        _ => words.request(),
    }
}

/// An address; nothing where S3 did the work by itself.
fn address(word: &[u8]) -> Option<&[u8]> {
    let address = unless_dash(word);
    (address.is_empty() || is_address(address)).then_some(address)
}

/// A bucket's name: letters, digits, dots, dashes and, in old ones, underscores.
fn bucket_name(word: &[u8]) -> Option<&[u8]> {
    let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    (word.len() >= 3 && word.iter().all(in_name)).then_some(word)
}

/// `REST.GET.OBJECT`: the interface, what is done, and what with.
struct Operation {
    method: Method,
    is_on_object: bool,
}

impl Operation {
    /// The operation that `word` names; none where it names none.
    fn of(word: &[u8]) -> Option<Operation> {
        let mut parts = word.split(|&byte| byte == b'.');
        let (interface, action) = (parts.next()?, parts.next()?);
        let is_known = matches!(interface, b"REST" | b"WEBSITE" | b"SOAP" | b"BATCH" | b"S3");
        is_known.then(|| Operation {
            method: request_line::method(action),
            is_on_object: parts.next() == Some(b"OBJECT"),
        })
    }

    /// The key, where the operation is on the object itself.
    fn key<'a>(&self, key: &'a [u8]) -> &'a [u8] {
        if self.is_on_object {
            unless_dash(key)
        } else {
            b""
        }
    }
}

/// The key as a path with its second percent-encoding undone; empty without a key.
fn path<'a>(key: &[u8], scratch: &'a mut Vec<u8>) -> &'a [u8] {
    scratch.clear();
    if !key.is_empty() && !key.starts_with(b"/") {
        scratch.push(b'/');
    }
    twice_encoded::append_undone(key, scratch);
    scratch
}

/// The protocol, the last word of the request line.
fn protocol(request: &[u8]) -> Protocol {
    let start = memchr::memrchr(b' ', request).map_or(0, |space| space + 1);
    request_line::protocol(&request[start..])
}
