//! Envoy's default text format (Envoy documentation, "Access logging", default format string):
//! `[time] "request" status flags received sent ms ms "forwarded for" "agent" "id" "authority" "upstream"`; and
//! Istio's (Istio documentation, "Envoy Access Logs"), which has details behind the flags and addresses at the
//! end.
//!
//! The time is that of arrival. `bytes` is the body sent. The host is the authority. The client is the first
//! address of the forwarded ones, or else the peer, which only Istio's format has.

use super::address::{before_port, is_address, is_host};
use super::days::Days;
use super::field::{number, size, status, unless_dash, without_port};
use super::words::Words;
use super::{Format, FormatKind, Record, Reject, request_line};
use memchr::{memchr, memrchr};

impl FormatKind {
    /// Envoy's default text format, and Istio's.
    pub const ENVOY: FormatKind = FormatKind::of::<Envoy>("envoy", 14);
}

/// Reads Envoy's text format.
#[derive(Debug, Default)]
struct Envoy {
    days: Days,
    scratch: Vec<u8>,
}

impl Format for Envoy {
    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let mut words = Words::of(line);
        let time = words.bracketed().ok_or(Reject::BadTime)?;
        let request = words.request().ok_or(Reject::NoRequestLine)?;
        let (answered, _flags) = (words.word(), words.word());
        let sent = sent_bytes(&mut words).ok_or(Reject::BadSize)?;
        let (took, upstream_took) = (words.word(), words.word());
        let is_duration = |word: Option<&[u8]>| word.and_then(size).is_some();
        if !is_duration(took) || !is_duration(upstream_took) {
            return Err(Reject::BadField("duration"));
        }
        let took_us = took.and_then(size);
        let took_us = took_us.map(|took_ms| took_ms.map(|took_ms| took_ms.saturating_mul(1000)));
        let end = End::of(words.rest()).ok_or(Reject::TooFewFields)?;
        let request = request_line::split(unless_dashes(request), &mut self.scratch);
        Ok(Some(Record {
            time_us: Some(self.days.instant_us(time).ok_or(Reject::BadTime)?),
            client: end.client().unwrap_or_default(),
            host: end.host().ok_or(Reject::BadField("authority"))?,
            status: answered.and_then(response_code).ok_or(Reject::BadStatus)?,
            bytes: Some(sent),
            took_us: took_us.flatten(),
            ..request.record()
        }))
    }
}

/// The bytes sent, behind those received. Istio has up to three fields of details before both.
fn sent_bytes(words: &mut Words<'_>) -> Option<u64> {
    const DETAILS: usize = 3;
    let is_number = |field: Option<&[u8]>| field.is_some_and(|field| number(field).is_some());
    (0..=DETAILS).find(|_| is_number(words.field()))?;
    number(words.word()?)
}

/// A status; Envoy writes 0 where it sent no answer.
fn response_code(word: &[u8]) -> Option<u16> {
    if word == b"0" { Some(0) } else { status(word) }
}

/// The request line; nothing where all its parts are missing.
fn unless_dashes(request: &[u8]) -> &[u8] {
    if request == b"- - -" { b"" } else { request }
}

/// What stands behind the durations. The agent among it may hold quotes, so authority and upstream are found
/// from the end.
struct End<'a> {
    forwarded_for: &'a [u8],
    authority: &'a [u8],
    /// Istio's cluster and addresses, without quotes.
    addresses: &'a [u8],
}

impl<'a> End<'a> {
    fn of(text: &'a [u8]) -> Option<End<'a>> {
        let forwarded = text.strip_prefix(b"\"")?;
        let forwarded_for = &forwarded[..memchr(b'"', forwarded)?];
        let upstream_end = memrchr(b'"', text)?;
        let (before_upstream, _) = cut_last_quoted(&text[..upstream_end])?;
        let before_upstream = before_upstream.strip_suffix(b"\" ")?;
        let (before, authority) = cut_last_quoted(before_upstream)?;
        // Forwarded addresses, agent and id stand before the authority.
        (before.len() > forwarded_for.len()).then_some(End {
            forwarded_for,
            authority,
            addresses: &text[upstream_end + 1..],
        })
    }

    /// The authority without its port.
    fn host(&self) -> Option<&'a [u8]> {
        let host = without_port(unless_dash(self.authority));
        (host.is_empty() || is_host(host)).then_some(host)
    }

    /// The first of the forwarded addresses, or else the peer's.
    fn client(&self) -> Option<&'a [u8]> {
        let first = self.forwarded_for.split(|&byte| byte == b',').next()?;
        let first = first.trim_ascii();
        if is_address(first) {
            return Some(first);
        }
        // ` cluster upstream_local downstream_local downstream_remote sni route`
        let peer = self.addresses.split(|&byte| byte == b' ').nth(4)?;
        before_port(peer)
    }
}

/// `before "quoted`, cut at the last quote.
fn cut_last_quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let quote = memrchr(b'"', text)?;
    Some((&text[..quote], &text[quote + 1..]))
}
