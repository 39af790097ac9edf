//! LTSV, labelled tab-separated values (ltsv.org, "Labels for Web server's Log"):
//! `time:… host:… req:GET /a HTTP/1.1 status:200 size:512 vhost:…`, in any order, tabs between them.
//!
//! `time` is the arrival by that convention: as Apache or nginx writes it, in brackets or without, or by ISO 8601
//! with its offset. `host` is the client, and `vhost` the site. Where `remote_addr` names the client, as in logs
//! labelled after nginx's variables, `host` is the site unless there is a `vhost`. `size` is the body sent. Beside
//! the convention's labels, nginx's names of the same values are read.

use super::address::is_host;
use super::clock::{CLF_TIME_LEN, ClfClock, seconds_us};
use super::days::Days;
use super::escapes::unescape;
use super::field::{number, size, status, unless_dash, without_marks, without_port};
use super::request_line::{self, RequestLine};
use super::words::{Words, find_near};
use super::{Format, FormatKind, Record, Reject, RequestTarget};
use crate::Method;
use memchr::memchr;

impl FormatKind {
    /// Labelled tab-separated values.
    pub const LTSV: FormatKind = FormatKind::of::<Ltsv>("ltsv", 10);
}

/// Reads LTSV.
#[derive(Debug, Default)]
struct Ltsv {
    clock: ClfClock,
    days: Days,
    scratch: Vec<u8>,
}

/// The values of one line that matter; none where their labels are missing.
#[derive(Default)]
struct Values<'a> {
    time: Option<&'a [u8]>,
    host: Option<&'a [u8]>,
    remote_addr: Option<&'a [u8]>,
    virtual_host: Option<&'a [u8]>,
    request: Option<&'a [u8]>,
    method: Option<&'a [u8]>,
    uri: Option<&'a [u8]>,
    protocol: Option<&'a [u8]>,
    status: Option<&'a [u8]>,
    size: Option<&'a [u8]>,
    /// Seconds, and microseconds.
    reqtime: Option<&'a [u8]>,
    reqtime_microsec: Option<&'a [u8]>,
}

impl<'a> Values<'a> {
    fn of(line: &'a [u8]) -> Values<'a> {
        let mut values = Values::default();
        let mut fields = Words::separated(line, b'\t');
        while let Some(field) = fields.word() {
            let Some(colon) = find_near(b':', field) else {
                continue;
            };
            let (label, value) = (&field[..colon], Some(&field[colon + 1..]));
            match label {
                b"time" | b"time_local" | b"time_iso8601" => values.time = value,
                b"host" => values.host = value,
                b"remote_addr" => values.remote_addr = value,
                b"vhost" => values.virtual_host = value,
                b"req" | b"request" => values.request = value,
                b"method" | b"request_method" => values.method = value,
                b"uri" | b"request_uri" => values.uri = value,
                b"protocol" | b"server_protocol" => values.protocol = value,
                b"status" => values.status = value,
                b"size" | b"body_bytes_sent" => values.size = value,
                b"reqtime" | b"request_time" => values.reqtime = value,
                b"reqtime_microsec" => values.reqtime_microsec = value,
                _ => {}
            }
        }
        values
    }

    fn client(&self) -> Result<&'a [u8], Reject> {
        let client = self.remote_addr.or(self.host);
        let client = unless_dash(client.ok_or(Reject::LacksLabel("host"))?);
        let is_client = client.is_empty() || is_host(client);
        is_client
            .then_some(client)
            .ok_or(Reject::BadField("client"))
    }

    /// The site without its port; empty where the line names none.
    fn site(&self) -> Result<&'a [u8], Reject> {
        let host = self.host.filter(|_| self.remote_addr.is_some());
        let site = without_port(unless_dash(self.virtual_host.or(host).unwrap_or_default()));
        let is_site = site.is_empty() || is_host(site);
        is_site.then_some(site).ok_or(Reject::BadField("vhost"))
    }

    /// How long the request took (ltsv.org, "Labels for Web server's log").
    fn took_us(&self) -> Option<u64> {
        let exact = self.reqtime_microsec.and_then(number);
        exact.or_else(|| seconds_us(self.reqtime?))
    }

    /// The request: its line, or else its parts.
    fn request(&self, scratch: &'a mut Vec<u8>) -> Result<RequestLine<'a>, Reject> {
        if let Some(request) = self.request {
            return Ok(request_line::split(request, scratch));
        }
        let uri = self.uri.ok_or(Reject::LacksLabel("req"))?;
        let method = self.method.ok_or(Reject::LacksLabel("method"))?;
        Ok(RequestLine {
            method: request_line::method(method),
            target: unescaped(unless_dash(uri), scratch),
            protocol: request_line::protocol(self.protocol.unwrap_or_default()),
        })
    }
}

impl Format for Ltsv {
    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let values = Values::of(line);
        let time = values.time.ok_or(Reject::LacksLabel("time"))?;
        let time_us = self.time_us(time).ok_or(Reject::BadTime)?;
        let answered = values.status.ok_or(Reject::LacksLabel("status"))?;
        let (client, site) = (values.client()?, values.site()?);
        let request = values.request(&mut self.scratch)?;
        let (host, target) = located(&request, site);
        Ok(Some(Record {
            time_us: Some(time_us),
            client,
            host,
            target: RequestTarget::Url(target),
            status: status(answered).ok_or(Reject::BadStatus)?,
            bytes: values
                .size
                .map_or(Some(None), size)
                .ok_or(Reject::BadSize)?,
            took_us: values.took_us(),
            ..request.record()
        }))
    }
}

impl Ltsv {
    fn time_us(&mut self, text: &[u8]) -> Option<i64> {
        let text = without_marks(text, b'[', b']');
        match <&[u8; CLF_TIME_LEN]>::try_from(text) {
            Ok(common) if common[2] == b'/' => self.clock.read_full(common),
            _ => self.days.instant_us(text),
        }
    }
}

/// Host and path of an absolute URL; else the site and the target as it stands.
fn located<'a>(request: &RequestLine<'a>, site: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    match request_line::split_url(request.target) {
        Some((host, path)) if request.method != Method::Other && is_host(host) => (host, path),
        _ => (site, request.target),
    }
}

/// `text` with the escapes of Apache and nginx undone in `scratch`, where there are any.
fn unescaped<'a>(text: &'a [u8], scratch: &'a mut Vec<u8>) -> &'a [u8] {
    if memchr(b'\\', text).is_none() {
        return text;
    }
    scratch.clear();
    unescape(text, scratch);
    scratch
}
