//! The W3C extended log format of IIS, IIS Advanced Logging, CloudFront and proxies: `#Fields:` names the columns
//! of the lines after it.
//!
//! Columns are separated by tabs where the line holds one (CloudFront), else by spaces. Values may stand in quotes
//! (the W3C's draft; IIS Advanced Logging), except in the logs of IIS itself and of CloudFront, which encode spaces
//! and leave quotes as they are. The target is `cs-uri-stem`, joined by `?` with `cs-uri-query` unless that says
//! `-`. CloudFront percent-encodes the stem once more than the client did, which is undone; IIS logs it decoded with
//! spaces as `+`, which is left as it stands. `sc-bytes` counts headers too in all of them.
//!
//! Times are UTC, except where a log of IIS Advanced Logging has local times alone. Those name no zone. CloudFront's is the time of completion, and `time-taken`, in seconds, is subtracted. The others do
//! not say which it is, and their times are left as they stand.

use super::address::{before_port, is_address, is_host};
use super::clock::{LocalClock, bounded, epoch_seconds_us, seconds_us, time_of_day_us};
use super::days::Days;
use super::evidence::Evidence;
use super::field::{number, size, status, unless_dash, without_port};
use super::head::Head;
use super::line_evidence::line_evidence;
use super::words::Words;
use super::{Format, FormatKind, Record, Reject, RequestTarget, request_line, twice_encoded};
use crate::Zone;
use memchr::memmem;
use strum::EnumCount;

/// What a column says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumCount)]
pub(super) enum Column {
    Date,
    Time,
    LocalDate,
    LocalTime,
    TimeTaken,
    EdgeLocation,
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
    Forwarded,
    Ignored,
}

/// Column names, in small letters: Microsoft, "W3C Extended Log File Format (IIS 6.0)" and "Advanced Logging for
/// IIS: Custom Logging"; AWS, "Standard logging (access logs)"; `cs-uri-path`: Broadcom, "ProxySG Log Fields"; `c-status`: Microsoft,
/// "Logging Model for Windows Media Services".
fn column(name: &[u8]) -> Column {
    match name.to_ascii_lowercase().as_slice() {
        b"date" | b"date-utc" => Column::Date,
        b"time" | b"time-utc" => Column::Time,
        b"date-local" => Column::LocalDate,
        b"time-local" => Column::LocalTime,
        b"time-taken" => Column::TimeTaken,
        b"x-edge-location" => Column::EdgeLocation,
        b"c-ip" => Column::Client,
        b"cs-method" => Column::Method,
        b"cs-uri-stem" | b"cs-uri-path" => Column::Stem,
        b"cs-uri-query" => Column::Query,
        b"cs-uri" => Column::Uri,
        b"sc-status" | b"c-status" => Column::Status,
        b"sc-bytes" | b"bytes" => Column::Bytes,
        b"cs-version" | b"cs-protocol-version" => Column::Protocol,
        b"x-host-header" => Column::ViewerHost,
        b"cs(host)" | b"cs-host" => Column::Host,
        b"x-forwarded-for" | b"cs(x-forwarded-for)" => Column::Forwarded,
        _ => Column::Ignored,
    }
}

impl FormatKind {
    /// W3C extended: IIS, CloudFront.
    pub const W3C: FormatKind = FormatKind::of::<W3c>("w3c", 11).known_by(evidence);
}

/// Lines that read, and whether their times are local.
fn evidence(kind: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let evidence = line_evidence(kind, head)?;
    let mut columns = Columns::default();
    let mut forwarded = 0;
    for line in head.lines() {
        if let Some(names) = line.strip_prefix(b"#Fields:") {
            columns.name(names);
        } else {
            forwarded += usize::from(columns.forwards_another(line));
        }
    }
    let forwards = (forwarded * 2 > evidence.read).then(|| {
        "its column X-Forwarded-For holds other addresses than c-ip, which counts as the client: if a proxy forwards \
         its clients, give the log's format string"
            .into()
    });
    Some(evidence.with_doubt(forwards))
}

/// The column that the log with this head needs and does not have, where that keeps all its lines from being read.
pub(super) fn missing_column(head: &Head<'_>) -> Option<&'static str> {
    let mut parser = W3c::default();
    let mut missing = None;
    for line in head.lines() {
        match parser.parse(line) {
            Ok(Some(_)) => return None,
            Err(Reject::LacksColumn(column)) => missing = missing.or(Some(column)),
            _ => {}
        }
    }
    missing
}

/// Reads W3C extended logs.
#[derive(Clone, Debug, Default)]
pub(super) struct W3c {
    columns: Columns,
    days: Days,
    local: LocalClock,
    target: Vec<u8>,
    /// Whether values may stand in quotes, which IIS itself never writes.
    is_unquoted: bool,
}

/// The columns of a log.
#[derive(Clone, Debug, Default)]
struct Columns {
    all: Vec<Column>,
    /// How many of them every line has.
    least: usize,
    /// Whether the times are local.
    is_local: bool,
    is_cloudfront: bool,
    /// Where the client and the addresses stand that a proxy forwards.
    client: Option<usize>,
    forwarded: Option<usize>,
    has_date: bool,
    /// The first of the columns that lines need and that is missing, but for the date.
    missing: Option<&'static str>,
}

impl Columns {
    /// Takes the columns from their names.
    fn name(&mut self, names: &[u8]) {
        let names = names.split(u8::is_ascii_whitespace);
        self.all = names.filter(|name| !name.is_empty()).map(column).collect();
        self.least = self.all.len();
        self.client = self.all.iter().position(|it| *it == Column::Client);
        self.forwarded = self.all.iter().position(|it| *it == Column::Forwarded);
        self.is_local = !self.has(Column::Time) && self.has(Column::LocalTime);
        self.choose_times();
        self.is_cloudfront = self.has(Column::EdgeLocation);
        self.has_date = self.has(Column::Date);
        self.missing = self.first_missing();
    }

    /// Takes the local times for the times where there are no others.
    fn choose_times(&mut self) {
        let (date, time) = match self.is_local {
            true => (Column::LocalDate, Column::LocalTime),
            false => (Column::Date, Column::Time),
        };
        for column in &mut self.all {
            *column = match *column {
                it if it == date => Column::Date,
                it if it == time => Column::Time,
                Column::Date | Column::Time | Column::LocalDate | Column::LocalTime => {
                    Column::Ignored
                }
                other => other,
            };
        }
    }

    /// Whether a line's forwarded address is not its client. CloudFront's client is whoever asked it.
    fn forwards_another(&self, line: &[u8]) -> bool {
        let value = |at: Option<usize>| line.split(|byte| b" \t".contains(byte)).nth(at?);
        let (Some(client), Some(list)) = (value(self.client), value(self.forwarded)) else {
            return false;
        };
        let first = list.split(|&byte| byte == b',').next().unwrap_or(list);
        let first = before_port(first).unwrap_or(first);
        !self.is_cloudfront && is_address(first) && first != client
    }

    fn has(&self, column: Column) -> bool {
        self.all.contains(&column)
    }

    fn first_missing(&self) -> Option<&'static str> {
        let needed = [
            ("time", self.has(Column::Time)),
            (
                "cs-uri-stem",
                self.has(Column::Stem) || self.has(Column::Uri),
            ),
            ("sc-status", self.has(Column::Status)),
        ];
        let missing = needed.into_iter().find(|(_, is_there)| !is_there);
        missing.map(|(name, _)| name)
    }

    /// Whether lines can be read; `has_date`: a directive told the date.
    fn check(&self, has_date: bool) -> Result<(), Reject> {
        match self.missing {
            _ if self.all.is_empty() => Err(Reject::NoFieldsDirective),
            _ if !self.has_date && !has_date => Err(Reject::LacksColumn(match self.is_local {
                true => "date-local",
                false => "date",
            })),
            Some(column) => Err(Reject::LacksColumn(column)),
            None => Ok(()),
        }
    }
}

/// The values of one line, by their columns; empty where there is none.
#[derive(Default)]
pub(super) struct Row<'a>([&'a [u8]; Column::COUNT]);

impl<'a> Row<'a> {
    /// The value of `column`.
    #[inline]
    pub fn get(&self, column: Column) -> &'a [u8] {
        self.0[column as usize]
    }
}

impl Format for W3c {
    // Directives name the columns and the date of the rows after them.
    fn carries_state(&self) -> bool {
        true
    }

    fn beside(&self, block: &[u8]) -> Option<Box<dyn Format>> {
        let has_directive = block.starts_with(b"#") || memmem::find(block, b"\n#").is_some();
        (!has_directive).then(|| Box::new(self.clone()) as Box<dyn Format>)
    }

    fn set_zone(&mut self, zone: &Zone) {
        self.local = LocalClock::of(zone.clone());
    }

    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        match line {
            [b'#', directive @ ..] => {
                self.directive(directive);
                Ok(None)
            }
            _ => {
                let row = self.row(line)?;
                self.record(row).map(Some)
            }
        }
    }
}

impl W3c {
    /// Reads rows without directives: columns that every row has, then such as it may have.
    pub fn of_columns(first: &[u8], later: &[u8]) -> W3c {
        let mut w3c = W3c::default();
        w3c.columns.name(first);
        let least = w3c.columns.least;
        w3c.columns.name(&[first, b" ", later].concat());
        w3c.columns.least = least;
        w3c
    }

    /// `#Fields:` sets the columns, `#Date:` the date of logs that have none per line, `#Software:` the quotes.
    fn directive(&mut self, directive: &[u8]) {
        const IIS: &[u8] = b"Microsoft Internet Information S";
        if let Some(names) = directive.strip_prefix(b"Fields:") {
            self.columns.name(names);
        } else if let Some(date) = directive.strip_prefix(b"Date:") {
            let date = date.trim_ascii();
            self.days.set(&date[..date.len().min(b"2015-05-17".len())]);
        } else if let Some(software) = directive.strip_prefix(b"Software:") {
            self.is_unquoted = software.trim_ascii().starts_with(IIS);
        }
    }

    /// The request that a row is for.
    pub fn record<'a>(&'a mut self, row: Row<'a>) -> Result<Record<'a>, Reject> {
        let time_us = self.time_us(&row).ok_or(Reject::BadTime)?;
        let status = status(row.get(Column::Status)).ok_or(Reject::BadStatus)?;
        let bytes = match row.get(Column::Bytes) {
            b"" => None,
            logged => size(logged).ok_or(Reject::BadSize)?,
        };
        let took_us = self.took_us(&row);
        let is_encoded_twice = self.columns.is_cloudfront;
        let (url_host, target) = located(&mut self.target, &row, is_encoded_twice);
        Ok(Record {
            time_us: Some(time_us),
            client: unless_dash(row.get(Column::Client)),
            host: match url_host {
                b"" => row.host(),
                host => host,
            },
            method: request_line::method_or_get(row.get(Column::Method)),
            target: RequestTarget::Url(target),
            protocol: request_line::protocol(row.get(Column::Protocol)),
            status,
            bytes,
            size: None,
            took_us,
        })
    }

    /// The arrival as far as the log tells it.
    fn time_us(&mut self, row: &Row<'_>) -> Option<i64> {
        let shown_us = self.days.midnight_us()? + time_of_day_us(row.get(Column::Time))?;
        let logged_us = match self.columns.is_local {
            true => self.local.moment_us(shown_us)?,
            false => shown_us,
        };
        let taken_us = match self.columns.is_cloudfront {
            true => epoch_seconds_us(row.get(Column::TimeTaken)).unwrap_or(0),
            false => 0,
        };
        bounded(logged_us - taken_us)
    }

    /// How long the answer took: milliseconds in logs of IIS (Microsoft, "W3C Logging"), else seconds (W3C, "Extended Log
    /// File Format").
    fn took_us(&self, row: &Row<'_>) -> Option<u64> {
        match self.is_unquoted {
            true => {
                number(row.get(Column::TimeTaken)).map(|taken_ms| taken_ms.saturating_mul(1000))
            }
            false => seconds_us(row.get(Column::TimeTaken)),
        }
    }

    /// The columns of a line of values.
    pub fn row<'a>(&mut self, line: &'a [u8]) -> Result<Row<'a>, Reject> {
        self.columns.check(self.days.midnight_us().is_some())?;
        let has_tabs = memchr::memchr(b'\t', line).is_some();
        let mut words = Words::separated(line, if has_tabs { b'\t' } else { b' ' });
        let is_unquoted = self.is_unquoted || self.columns.is_cloudfront;
        let mut row = Row::default();
        for (index, &column) in self.columns.all.iter().enumerate() {
            let Some(value) = value(&mut words, has_tabs, is_unquoted) else {
                match index < self.columns.least {
                    true => return Err(Reject::TooFewFields),
                    false => break,
                }
            };
            match column {
                Column::Date => self.days.set(value),
                column => row.0[column as usize] = value,
            }
        }
        Ok(row)
    }
}

impl<'a> Row<'a> {
    /// The host that the request names, without its port.
    fn host(&self) -> &'a [u8] {
        let viewer_host = unless_dash(self.get(Column::ViewerHost));
        let host = match viewer_host.is_empty() {
            true => unless_dash(self.get(Column::Host)),
            false => viewer_host,
        };
        without_port(host)
    }
}

/// The next value. Runs of spaces separate like one; an empty value stands in quotes, or between two tabs.
fn value<'a>(words: &mut Words<'a>, has_tabs: bool, is_unquoted: bool) -> Option<&'a [u8]> {
    loop {
        let is_quoted = words.rest().starts_with(b"\"");
        let value = if is_unquoted {
            words.word()
        } else {
            words.field()
        }?;
        if has_tabs || is_quoted || !value.is_empty() {
            return Some(value);
        }
    }
}

/// Host and path of an absolute URL.
fn of_url(url: &[u8]) -> Option<(&[u8], &[u8])> {
    request_line::split_url(url).filter(|(host, _)| is_host(host))
}

/// Host and path of a URI, which Imperva Incapsula writes without a scheme: `www.example.com/a`.
fn of_uri(uri: &[u8]) -> Option<(&[u8], &[u8])> {
    let without_scheme = || {
        let (host, path) = uri.split_at_checked(memchr::memchr(b'/', uri)?)?;
        (host.contains(&b'.') && is_host(host)).then_some((host, path))
    };
    of_url(uri).or_else(without_scheme)
}

/// The host of an absolute URL, else nothing, and the target: stem and query, or the whole URI where there is
/// no stem.
fn located<'a>(
    scratch: &'a mut Vec<u8>,
    row: &Row<'a>,
    is_encoded_twice: bool,
) -> (&'a [u8], &'a [u8]) {
    let stem = row.get(Column::Stem);
    let (host, path) = match (stem, row.get(Column::Uri)) {
        ([b'/', ..], _) => (&b""[..], stem),
        (b"", uri) => of_uri(uri).unwrap_or((b"", unless_dash(uri))),
        _ => of_url(stem).unwrap_or((b"", unless_dash(stem))),
    };
    let query = unless_dash(row.get(Column::Query));
    if query.is_empty() && !is_encoded_twice {
        return (host, path);
    }
    let append = |part: &[u8], scratch: &mut Vec<u8>| match is_encoded_twice {
        true => twice_encoded::append_undone(part, scratch),
        false => scratch.extend_from_slice(part),
    };
    scratch.clear();
    append(path, scratch);
    if !query.is_empty() {
        scratch.push(b'?');
        append(query.strip_prefix(b"?").unwrap_or(query), scratch);
    }
    (host, scratch)
}
