//! Caddy's JSON access log (Caddy documentation, "How logging works" and the `log` directive):
//! `{"ts":…,"request":{"remote_ip":…,"client_ip":…,"proto":…,"method":…,"host":…,"uri":…},"size":…,"status":…}`.
//!
//! `ts` takes every form of the encoder's `time_format`: seconds, milliseconds or nanoseconds since 1970
//! (told apart by their magnitude), RFC 3339, ISO 8601 and `wall` times, which name no zone and are read as
//! UTC. Caddy logs at completion; `duration` (seconds, or text) is subtracted where it is a number.

use super::clock::{SECOND_US, bounded, civil_us, iso8601_us};
use super::field::{trim_line_end, without_port};
use super::json::{self, Texts, Time};
use super::line_evidence::line_evidence;
use super::{Format, FormatKind, Record, Reject, RequestTarget, request_line};
use serde::Deserialize;
use std::borrow::Cow;

impl FormatKind {
    /// Caddy's JSON access log.
    pub const CADDY: FormatKind = FormatKind {
        name: "caddy",
        fields: 9,
        is_key_only: false,
        parser: || Box::<Caddy>::default(),
        evidence: line_evidence,
    };
}

/// Reads Caddy's JSON access log.
#[derive(Debug, Default)]
struct Caddy(Texts);

#[derive(Deserialize)]
struct Entry<'a> {
    #[serde(borrow)]
    ts: Time<'a>,
    #[serde(borrow)]
    request: Request<'a>,
    status: u64,
    size: Option<u64>,
    #[serde(borrow)]
    duration: Option<Time<'a>>,
}

#[derive(Deserialize)]
struct Request<'a> {
    #[serde(borrow)]
    client_ip: Option<Cow<'a, str>>,
    #[serde(borrow)]
    remote_ip: Option<Cow<'a, str>>,
    /// `address:port`, before Caddy 2.5.
    #[serde(borrow)]
    remote_addr: Option<Cow<'a, str>>,
    #[serde(borrow)]
    proto: Option<Cow<'a, str>>,
    #[serde(borrow)]
    method: Cow<'a, str>,
    #[serde(borrow)]
    host: Option<Cow<'a, str>>,
    #[serde(borrow)]
    uri: Cow<'a, str>,
}

impl Format for Caddy {
    fn carries_state(&self) -> bool {
        false
    }

    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let line = trim_line_end(record);
        if line.is_empty() {
            return Ok(None);
        }
        let entry: Entry = json::object(line)?;
        let time_us = arrival_us(&entry).ok_or(Reject::BadTime)?;
        let status = json::status(entry.status)?;
        let request = &entry.request;
        let client = client(request);
        self.0
            .set(client, request.host.as_deref().unwrap_or(""), &request.uri);
        let protocol = request_line::protocol(request.proto.as_deref().unwrap_or("").as_bytes());
        let method = request_line::method(request.method.as_bytes());
        Ok(Some(Record {
            time_us: Some(time_us),
            client: &self.0.client,
            host: without_port(&self.0.host),
            method,
            target: RequestTarget::Url(&self.0.target),
            protocol,
            status,
            bytes: entry.size,
            size: None,
        }))
    }
}

fn client<'a>(request: &'a Request) -> &'a str {
    let address = request
        .remote_addr
        .as_deref()
        .map(|address| address.rsplit_once(':').map_or(address, |(ip, _)| ip));
    request
        .client_ip
        .as_deref()
        .or(request.remote_ip.as_deref())
        .or(address)
        .unwrap_or("")
}

fn arrival_us(entry: &Entry) -> Option<i64> {
    let logged = match &entry.ts {
        Time::Number(number) => number_us(*number)?,
        Time::Text(text) => iso8601_us(text.as_bytes()).or_else(|| wall_us(text))?,
    };
    let took_us = match entry.duration {
        Some(Time::Number(seconds)) if seconds >= 0.0 => {
            (seconds * SECOND_US as f64).round() as i64
        }
        _ => 0,
    };
    bounded(logged.checked_sub(took_us)?)
}

/// Seconds up to the year 5138, milliseconds up to the same, else nanoseconds.
fn number_us(number: f64) -> Option<i64> {
    const MOST_SECONDS: f64 = 1e11;
    const MOST_MILLISECONDS: f64 = 1e14;
    let us = match number {
        n if n < 0.0 || !n.is_finite() => return None,
        n if n < MOST_SECONDS => n * 1e6,
        n if n < MOST_MILLISECONDS => n * 1e3,
        n => n / 1e3,
    };
    Some(us.round() as i64)
}

fn wall_us(text: &str) -> Option<i64> {
    let time = jiff::fmt::strtime::parse("%Y/%m/%d %H:%M:%S%.f", text).ok()?;
    civil_us(time.to_datetime().ok()?)
}
