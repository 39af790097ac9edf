//! The W3C extended log format of IIS and CloudFront: `#Fields:` names the columns of the lines after it.
//!
//! Columns are separated by tabs where the line holds one (CloudFront), else by spaces (IIS). Times are
//! UTC, as both write them. The target is `cs-uri-stem`, joined by `?` with `cs-uri-query` unless that says
//! `-`. CloudFront percent-encodes the stem; IIS logs it decoded with spaces as `+`, which is left as it
//! stands. `sc-bytes` counts headers too in both.

use super::clock::{midnight_us, time_of_day_us};
use super::field::{size, status, trim_line_end, two_digits, unless_dash, without_port};
use super::line_evidence::line_evidence;
use super::{Format, FormatKind, Record, Reject, RequestTarget, request_line};
use crate::Method;
use crate::Protocol;

/// What a column says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Date,
    Time,
    Client,
    Method,
    Stem,
    Query,
    Uri,
    Status,
    Bytes,
    Protocol,
    ViewerHost,
    Host,
    Ignored,
}

/// Column names: Microsoft, "W3C Extended Log File Format (IIS 6.0)"; AWS, "Standard logging (access logs)".
fn column(name: &[u8]) -> Column {
    match name {
        b"date" => Column::Date,
        b"time" => Column::Time,
        b"c-ip" => Column::Client,
        b"cs-method" => Column::Method,
        b"cs-uri-stem" => Column::Stem,
        b"cs-uri-query" => Column::Query,
        b"cs-uri" => Column::Uri,
        b"sc-status" => Column::Status,
        b"sc-bytes" => Column::Bytes,
        b"cs-version" | b"cs-protocol-version" => Column::Protocol,
        b"x-host-header" => Column::ViewerHost,
        b"cs(Host)" | b"cs-host" => Column::Host,
        _ => Column::Ignored,
    }
}

impl FormatKind {
    /// W3C extended: IIS, CloudFront.
    pub const W3C: FormatKind = FormatKind {
        name: "w3c",
        fields: 11,
        is_key_only: false,
        parser: || Box::<W3c>::default(),
        evidence: line_evidence,
    };
}

/// Reads W3C extended logs.
#[derive(Debug, Default)]
struct W3c {
    columns: Vec<Column>,
    days: Days,
    target: Vec<u8>,
}

/// Dates recur line after line: the last one is kept beside its midnight.
#[derive(Debug, Default)]
struct Days {
    text: Vec<u8>,
    midnight_us: Option<i64>,
}

impl Days {
    /// Makes `text`, `2015-05-17`, the current date.
    fn set(&mut self, text: &[u8]) {
        if self.text != text {
            self.text.clear();
            self.text.extend_from_slice(text);
            self.midnight_us = date_us(text);
        }
    }
}

fn date_us(text: &[u8]) -> Option<i64> {
    if text.len() != b"2015-05-17".len() || text[4] != b'-' || text[7] != b'-' {
        return None;
    }
    let year = two_digits(text, 0)? * 100 + two_digits(text, 2)?;
    midnight_us(
        year as i16,
        two_digits(text, 5)? as i8,
        two_digits(text, 8)? as i8,
    )
}

/// The columns of one line that matter.
#[derive(Default)]
struct Row<'a> {
    time: &'a [u8],
    client: &'a [u8],
    method: &'a [u8],
    stem: &'a [u8],
    query: &'a [u8],
    uri: &'a [u8],
    status: &'a [u8],
    bytes: &'a [u8],
    protocol: &'a [u8],
    viewer_host: &'a [u8],
    host: &'a [u8],
}

impl Format for W3c {
    // Directives name the columns and the date of the rows after them.
    fn carries_state(&self) -> bool {
        true
    }

    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let line = trim_line_end(record);
        match line {
            [] => Ok(None),
            [b'#', directive @ ..] => {
                self.directive(directive);
                Ok(None)
            }
            _ => self.row(line).map(Some),
        }
    }
}

impl W3c {
    /// `#Fields:` sets the columns, `#Date:` the date of logs that have none per line.
    fn directive(&mut self, directive: &[u8]) {
        if let Some(names) = directive.strip_prefix(b"Fields:") {
            self.columns = names
                .split(|byte| matches!(byte, b' ' | b'\t'))
                .filter(|name| !name.is_empty())
                .map(column)
                .collect();
        } else if let Some(date) = directive.strip_prefix(b"Date:") {
            let date = date.trim_ascii();
            self.days.set(&date[..date.len().min(b"2015-05-17".len())]);
        }
    }

    fn row<'a>(&'a mut self, line: &'a [u8]) -> Result<Record<'a>, Reject> {
        self.check_columns()?;
        let row = self.columns_of(line)?;
        let time_us = self
            .days
            .midnight_us
            .zip(time_of_day_us(row.time))
            .ok_or(Reject::BadTime)?;
        let status = status(row.status).ok_or(Reject::BadStatus)?;
        let bytes = if row.bytes.is_empty() {
            None
        } else {
            size(row.bytes).ok_or(Reject::BadSize)?
        };
        let host = if unless_dash(row.viewer_host).is_empty() {
            unless_dash(row.host)
        } else {
            row.viewer_host
        };
        Ok(Record {
            time_us: Some(time_us.0 + time_us.1),
            client: unless_dash(row.client),
            host: without_port(host),
            method: if row.method.is_empty() {
                Method::Get
            } else {
                request_line::method(row.method)
            },
            target: RequestTarget::Url(join(&mut self.target, &row)),
            protocol: if unless_dash(row.protocol).is_empty() {
                Protocol::Unknown
            } else {
                request_line::protocol(row.protocol)
            },
            status,
            bytes,
            size: None,
        })
    }

    fn check_columns(&self) -> Result<(), Reject> {
        let has = |column| self.columns.contains(&column);
        let usable =
            has(Column::Time) && has(Column::Status) && (has(Column::Stem) || has(Column::Uri));
        if usable {
            Ok(())
        } else {
            Err(Reject::NoFieldsDirective)
        }
    }

    fn columns_of<'a>(&mut self, line: &'a [u8]) -> Result<Row<'a>, Reject> {
        let tabs = memchr::memchr(b'\t', line).is_some();
        let separator = if tabs { b'\t' } else { b' ' };
        let mut values = line
            .split(|&byte| byte == separator)
            .filter(|value| tabs || !value.is_empty());
        let mut row = Row::default();
        for &column in &self.columns {
            let value = values.next().ok_or(Reject::TooFewFields)?;
            match column {
                Column::Date => self.days.set(value),
                Column::Time => row.time = value,
                Column::Client => row.client = value,
                Column::Method => row.method = value,
                Column::Stem => row.stem = value,
                Column::Query => row.query = value,
                Column::Uri => row.uri = value,
                Column::Status => row.status = value,
                Column::Bytes => row.bytes = value,
                Column::Protocol => row.protocol = value,
                Column::ViewerHost => row.viewer_host = value,
                Column::Host => row.host = value,
                Column::Ignored => {}
            }
        }
        Ok(row)
    }
}

/// The target: stem and query, or the whole URI where there is no stem.
fn join<'a>(scratch: &'a mut Vec<u8>, row: &Row<'a>) -> &'a [u8] {
    let stem = if row.stem.is_empty() {
        row.uri
    } else {
        row.stem
    };
    let query = unless_dash(row.query);
    if query.is_empty() {
        return unless_dash(stem);
    }
    scratch.clear();
    scratch.extend_from_slice(stem);
    scratch.push(b'?');
    scratch.extend_from_slice(query);
    scratch
}
