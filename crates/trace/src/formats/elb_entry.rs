//! The fields that the logs of AWS's balancers share:
//! `time balancer client:port target:port seconds seconds seconds status status received sent "request"`.

use super::address::{before_port, is_host};
use super::clock::epoch_seconds_us;
use super::field::{size, status};
use super::request_line::{self, RequestLine};
use super::words::Words;
use super::{Record, Reject};
use crate::{Method, Protocol};

/// What an entry says of its request.
pub(super) struct Entry<'a> {
    pub time: &'a [u8],
    pub client: &'a [u8],
    /// Microseconds that balancer and target took until the answer began, where they are known.
    pub taken_us: i64,
    /// The same, if all of it is known.
    pub took_us: Option<u64>,
    pub status: u16,
    pub bytes: Option<u64>,
    /// What stands between the quotes.
    pub request: &'a [u8],
}

impl<'a> Entry<'a> {
    /// Reads an entry from its time to its request.
    pub fn read(words: &mut Words<'a>) -> Result<Entry<'a>, Reject> {
        let mut next = || words.word().ok_or(Reject::TooFewFields);
        let (time, _balancer, client, target) = (next()?, next()?, next()?, next()?);
        let taken = [next()?, next()?, next()?];
        let (answered, target_answered, received, sent) = (next()?, next()?, next()?, next()?);
        if target != b"-" {
            before_port(target).ok_or(Reject::BadField("target"))?;
        }
        if target_answered != b"0" {
            status(target_answered).ok_or(Reject::BadStatus)?;
        }
        size(received).ok_or(Reject::BadSize)?;
        let client = before_port(client).ok_or(Reject::BadField("client"))?;
        let taken_us = sum_us(taken).ok_or(Reject::BadField("processing time"))?;
        let is_known = taken.iter().all(|part| !matches!(*part, b"-1" | b"-"));
        Ok(Entry {
            time,
            client,
            taken_us,
            took_us: u64::try_from(taken_us).ok().filter(|_| is_known),
            status: status(answered).ok_or(Reject::BadStatus)?,
            bytes: size(sent).ok_or(Reject::BadSize)?,
            request: words.quoted().ok_or(Reject::MissingQuote)?,
        })
    }

    /// The record of the request, which arrived at `time_us`.
    pub fn record(&self, time_us: i64, scratch: &'a mut Vec<u8>) -> Result<Record<'a>, Reject> {
        let (host, request) = host_and_request(self.request, scratch)?;
        Ok(Record {
            time_us: Some(time_us),
            client: self.client,
            host,
            status: self.status,
            bytes: self.bytes,
            took_us: self.took_us,
            ..request.record()
        })
    }
}

/// The sum of durations in seconds, of which `-1` and `-` are not known.
fn sum_us(seconds: [&[u8]; 3]) -> Option<i64> {
    seconds.iter().try_fold(0, |sum, seconds| match *seconds {
        b"-1" | b"-" => Some(sum),
        known => Some(sum + epoch_seconds_us(known)?),
    })
}

/// The host and the request of `GET https://host:443/path HTTP/1.1`. Both are empty where the client's request
/// was malformed, or the listener is not one of HTTP (`- - - `); then nothing but dashes can be relied on.
fn host_and_request<'a>(
    request: &'a [u8],
    scratch: &'a mut Vec<u8>,
) -> Result<(&'a [u8], RequestLine<'a>), Reject> {
    if request.starts_with(b"- ") {
        let malformed = RequestLine {
            method: Method::Other,
            target: b"",
            protocol: Protocol::Unknown,
        };
        return Ok((b"", malformed));
    }
    let request = request_line::split(request, scratch);
    let url = request_line::split_url(request.target).filter(|(host, _)| is_host(host));
    let (host, target) = url.ok_or(Reject::BadField("URL"))?;
    Ok((host, RequestLine { target, ..request }))
}
