//! The access log of AWS's Application Load Balancer (AWS, "Access logs for your Application Load Balancer"):
//! `type time balancer client:port target:port seconds seconds seconds status status received sent "request"
//! "agent" cipher protocol group "trace" "domain" "certificate" priority arrival …`.
//!
//! The time is `request_creation_time`, the arrival. Where a line lacks it, as the first logs did, the time is
//! that of the answer minus the three processing times. `bytes` is what went to the client, headers too. The
//! host is that of the URL.

use super::clock::bounded;
use super::days::Days;
use super::elb_entry::Entry;
use super::words::Words;
use super::{Format, FormatKind, Record, Reject};

impl FormatKind {
    /// The access log of AWS's Application Load Balancer.
    pub const ALB: FormatKind = FormatKind::of::<Alb>("alb", 29);
}

/// Reads the access log of an Application Load Balancer.
#[derive(Debug, Default)]
struct Alb {
    days: Days,
    scratch: Vec<u8>,
}

impl Format for Alb {
    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let mut words = Words::of(line);
        let kind = words.word().unwrap_or_default();
        if !is_kind(kind) {
            return Err(Reject::BadField("type"));
        }
        let entry = Entry::read(&mut words)?;
        let answered_us = self.days.instant_us(entry.time).ok_or(Reject::BadTime)?;
        let arrival_us = match arrival(words).and_then(|time| self.days.instant_us(time)) {
            None => bounded(answered_us - entry.taken_us),
            known => known,
        };
        entry
            .record(arrival_us.ok_or(Reject::BadTime)?, &mut self.scratch)
            .map(Some)
    }
}

/// The types of connection that the documentation lists.
fn is_kind(word: &[u8]) -> bool {
    matches!(word, b"http" | b"https" | b"h2" | b"grpcs" | b"ws" | b"wss")
}

/// The field `request_creation_time`, ten words behind the request.
fn arrival(mut words: Words<'_>) -> Option<&[u8]> {
    words.quoted()?;
    let (_cipher, _protocol, _group) = (words.word()?, words.word()?, words.word()?);
    let (_trace, _domain, _certificate) = (words.quoted()?, words.quoted()?, words.quoted()?);
    let _priority = words.word()?;
    words.word()
}
