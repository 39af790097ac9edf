//! The request line between its quotes: method, target, protocol.

use super::escapes::unescape;
use super::{Record, RequestTarget};
use crate::{Method, Protocol};

/// A request line taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RequestLine<'a> {
    pub method: Method,
    pub target: &'a [u8],
    pub protocol: Protocol,
}

impl<'a> RequestLine<'a> {
    /// A record that says nothing but the request.
    #[inline]
    pub fn record(self) -> Record<'a> {
        Record {
            time_us: None,
            client: b"",
            host: b"",
            method: self.method,
            target: RequestTarget::Url(self.target),
            protocol: self.protocol,
            status: 0,
            bytes: None,
            size: None,
            took_us: None,
        }
    }
}

/// Takes a request line apart. Escapes are undone and runs of spaces inside the target become one space,
/// both in `scratch` and only where there are any.
///
/// A line without a target (`-`, empty, one word of noise) has method `Other`, so that no rule takes it
/// for the request of a file; its target is the one word, empty for `-`. A line without a protocol is
/// HTTP/0.9.
pub(super) fn split<'a>(line: &'a [u8], scratch: &'a mut Vec<u8>) -> RequestLine<'a> {
    split_usual(line).unwrap_or_else(|| {
        let plain = split_closely(line);
        RequestLine {
            target: clean(plain.target, scratch),
            ..plain
        }
    })
}

/// Takes apart what nearly all lines are: a method, a target without spaces or escapes, a protocol. `None`: look more
/// closely.
#[inline]
fn split_usual(line: &[u8]) -> Option<RequestLine<'_>> {
    let (method, rest) = cut_usual_method(line)?;
    let (target, rest) = rest.split_at(memchr::memchr2(b' ', b'\\', rest)?);
    let protocol = rest.strip_prefix(b" ").map(protocol)?;
    let is_usual = !target.is_empty() && protocol != Protocol::Unknown;
    is_usual.then_some(RequestLine {
        method,
        target,
        protocol,
    })
}

/// The method of nearly all request lines, and what follows the space behind it.
#[inline]
pub(super) fn cut_usual_method(line: &[u8]) -> Option<(Method, &[u8])> {
    match line {
        [b'G', b'E', b'T', b' ', rest @ ..] => Some((Method::Get, rest)),
        [b'H', b'E', b'A', b'D', b' ', rest @ ..] => Some((Method::Head, rest)),
        [b'P', b'O', b'S', b'T', b' ', rest @ ..] => Some((Method::Post, rest)),
        _ => None,
    }
}

/// Takes apart a request line in which nothing is escaped, as [`split`] does.
pub(super) fn split_plain(line: &[u8]) -> RequestLine<'_> {
    split_usual(line).unwrap_or_else(|| split_closely(line))
}

fn split_closely(line: &[u8]) -> RequestLine<'_> {
    let line = trim_spaces(line);
    let (first, rest) = first_word(line);
    let (target, protocol) = cut_protocol(rest);
    if target.is_empty() {
        let target = if first == b"-" { b"" } else { first };
        return RequestLine {
            method: Method::Other,
            target,
            protocol,
        };
    }
    RequestLine {
        method: method(first),
        target,
        protocol,
    }
}

fn first_word(line: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memchr(b' ', line) {
        Some(space) => (&line[..space], trim_spaces(&line[space..])),
        None => (line, b""),
    }
}

/// Only the space separates; other white space belongs to the target.
fn trim_spaces(text: &[u8]) -> &[u8] {
    let start = text
        .iter()
        .position(|&byte| byte != b' ')
        .unwrap_or(text.len());
    let end = text
        .iter()
        .rposition(|&byte| byte != b' ')
        .map_or(start, |last| last + 1);
    &text[start..end]
}

/// Splits a trailing `HTTP/…` word off what follows the method.
fn cut_protocol(rest: &[u8]) -> (&[u8], Protocol) {
    let start = memchr::memrchr(b' ', rest).map_or(0, |space| space + 1);
    if rest[start..].starts_with(b"HTTP/") {
        (trim_spaces(&rest[..start]), protocol(&rest[start..]))
    } else {
        (rest, Protocol::Http10)
    }
}

fn clean<'a>(target: &'a [u8], scratch: &'a mut Vec<u8>) -> &'a [u8] {
    let escaped = memchr::memchr(b'\\', target).is_some();
    let spaced =
        memchr::memchr(b' ', target).is_some() && memchr::memmem::find(target, b"  ").is_some();
    if !escaped && !spaced {
        return target;
    }
    scratch.clear();
    if escaped {
        unescape(target, scratch);
    } else {
        scratch.extend_from_slice(target);
    }
    if spaced {
        scratch.dedup_by(|next, kept| *next == b' ' && *kept == b' ');
    }
    scratch
}

/// The method that a word names; methods are case-sensitive (RFC 9110, section 9.1).
#[inline]
pub(super) fn method(word: &[u8]) -> Method {
    match word {
        b"GET" => Method::Get,
        b"HEAD" => Method::Head,
        b"POST" => Method::Post,
        _ => Method::Other,
    }
}

/// The method that a word names, GET where there is none.
pub(super) fn method_or_get(word: &[u8]) -> Method {
    match word {
        b"" => Method::Get,
        word => method(word),
    }
}

/// The protocol that a word such as `HTTP/1.1` or `HTTP/2` names.
#[inline]
pub(super) fn protocol(word: &[u8]) -> Protocol {
    match word {
        b"HTTP/1.1" => Protocol::Http11,
        b"HTTP/1.0" | b"HTTP/0.9" => Protocol::Http10,
        b"HTTP/2.0" | b"HTTP/2" | b"HTTP/3.0" | b"HTTP/3" => Protocol::Http2,
        _ => Protocol::Unknown,
    }
}

/// An absolute URL's host (no port, no user) and its path with query, `/` when empty. `None`: not absolute.
pub(super) fn split_url(url: &[u8]) -> Option<(&[u8], &[u8])> {
    let scheme_end = memchr::memchr(b':', url)?;
    if !url[..scheme_end].iter().all(u8::is_ascii_alphanumeric) {
        return None;
    }
    let rest = url[scheme_end..].strip_prefix(b"://")?;
    let path_start = memchr::memchr2(b'/', b'?', rest).unwrap_or(rest.len());
    let authority = &rest[..path_start];
    let host_start = memchr::memrchr(b'@', authority).map_or(0, |at| at + 1);
    let path = if path_start == rest.len() {
        b"/"
    } else {
        &rest[path_start..]
    };
    Some((super::field::without_port(&authority[host_start..]), path))
}
