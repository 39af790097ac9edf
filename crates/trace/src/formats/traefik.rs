//! Traefik's JSON access log (Traefik documentation, "Access Logs", table of available fields).
//!
//! Times are `StartUTC`, the arrival; where it is dropped by the configuration, `time`, the logging.
//! `RequestPath` holds the query too.

use super::clock::iso8601_us;
use super::field::{trim_line_end, without_port};
use super::json::{self, Texts};
use super::line_evidence::line_evidence;
use super::{Format, FormatKind, Record, Reject, RequestTarget, request_line};
use serde::Deserialize;
use std::borrow::Cow;

impl FormatKind {
    /// Traefik's JSON access log.
    pub const TRAEFIK: FormatKind = FormatKind {
        name: "traefik",
        fields: 9,
        is_key_only: false,
        parser: || Box::<Traefik>::default(),
        evidence: line_evidence,
    };
}

/// Reads Traefik's JSON access log.
#[derive(Debug, Default)]
struct Traefik(Texts);

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Entry<'a> {
    #[serde(borrow)]
    client_host: Option<Cow<'a, str>>,
    #[serde(borrow)]
    request_host: Option<Cow<'a, str>>,
    #[serde(borrow)]
    request_method: Cow<'a, str>,
    #[serde(borrow)]
    request_path: Cow<'a, str>,
    #[serde(borrow)]
    request_protocol: Option<Cow<'a, str>>,
    downstream_status: u64,
    downstream_content_size: Option<u64>,
    #[serde(borrow, rename = "StartUTC")]
    start_utc: Option<Cow<'a, str>>,
    #[serde(borrow, rename = "time")]
    logged: Option<Cow<'a, str>>,
}

impl Format for Traefik {
    fn carries_state(&self) -> bool {
        false
    }

    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let line = trim_line_end(record);
        if line.is_empty() {
            return Ok(None);
        }
        let entry: Entry = json::object(line)?;
        let time = entry
            .start_utc
            .as_deref()
            .or(entry.logged.as_deref())
            .unwrap_or("");
        let time_us = iso8601_us(time.as_bytes()).ok_or(Reject::BadTime)?;
        let status = json::status(entry.downstream_status)?;
        self.0.set(
            text(&entry.client_host),
            text(&entry.request_host),
            &entry.request_path,
        );
        let protocol = request_line::protocol(text(&entry.request_protocol).as_bytes());
        let method = request_line::method(entry.request_method.as_bytes());
        Ok(Some(Record {
            time_us: Some(time_us),
            client: &self.0.client,
            host: without_port(&self.0.host),
            method,
            target: RequestTarget::Url(&self.0.target),
            protocol,
            status,
            bytes: entry.downstream_content_size,
            size: None,
        }))
    }
}

fn text<'a>(field: &'a Option<Cow<'_, str>>) -> &'a str {
    field.as_deref().unwrap_or("")
}
