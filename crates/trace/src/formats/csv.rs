//! Key-only traces as comma-separated text.
//!
//! With a header, columns are found by name: `key` (`id`, `obj_id`, `object`, `object_id`, `url`, `path`),
//! `size` (`obj_size`, `object_size`, `bytes`, `size_bytes`) and `time` (`ts`, `timestamp`: seconds;
//! `time_ms`, `time_us`). Without one, one column is the key, two are `key,size`, three or more are
//! `time,key,size`. A key that is a number of 64 bits is a [`RequestTarget::Key`], any other text a
//! [`RequestTarget::Url`]. Quotes around a field are removed; a comma inside quotes is not understood.

use super::clock::{epoch_seconds_us, epoch_us};
use super::evidence::{Evidence, is_enough};
use super::field::{number, without_marks};
use super::head::Head;
use super::keys::read_of;
use super::line_evidence::{count_lines, line_evidence};
use super::{Format, FormatKind, Record, Reject, RequestTarget};

impl FormatKind {
    /// Keys, perhaps with times and sizes, as comma-separated text.
    pub const CSV: FormatKind = FormatKind::of::<Csv>("csv", 3)
        .key_only()
        .known_by(evidence);
}

/// Rows with numbers for keys tell a trace in a file of any name, other rows one that is called `.csv`.
fn evidence(kind: FormatKind, head: &Head<'_>) -> Option<Evidence> {
    let is_numeric = |_: &[u8], record: &Record<'_>| matches!(record.target, RequestTarget::Key(_));
    let (read, of) = count_lines(kind, head, is_numeric);
    if is_enough(read, of) {
        let why = format!("{read} of the first {of} lines are rows with a number for a key");
        return Some(Evidence::new(read, of, why));
    }
    let named = line_evidence(kind, head).filter(|_| head.has_extension("csv"))?;
    named.is_enough().then(|| Evidence {
        why: format!("{}, as the file is called", named.why),
        ..named
    })
}

/// Reads CSV traces. Every request is a GET answered 200 with the whole object.
#[derive(Debug, Default)]
struct Csv {
    /// Known once the first line has been seen.
    columns: Option<Vec<Column>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Key,
    Size,
    Seconds,
    Milliseconds,
    Microseconds,
    Ignored,
}

fn column(name: &[u8]) -> Column {
    match name.to_ascii_lowercase().as_slice() {
        b"key" | b"id" | b"obj_id" | b"object" | b"object_id" | b"url" | b"path" => Column::Key,
        b"size" | b"obj_size" | b"object_size" | b"bytes" | b"size_bytes" => Column::Size,
        b"time" | b"ts" | b"timestamp" | b"time_s" => Column::Seconds,
        b"time_ms" => Column::Milliseconds,
        b"time_us" => Column::Microseconds,
        _ => Column::Ignored,
    }
}

impl Format for Csv {
    // The first line names the columns, or says how many there are.
    fn carries_state(&self) -> bool {
        true
    }

    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let columns = match &mut self.columns {
            Some(columns) => &*columns,
            unset => {
                let header: Vec<Column> = fields(line).map(column).collect();
                if header.contains(&Column::Key) {
                    *unset = Some(header);
                    return Ok(None);
                }
                &*unset.insert(columns_without_header(header.len()))
            }
        };
        row(columns, line).map(Some)
    }
}

fn fields(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    let fields = line.split(|&byte| byte == b',');
    fields.map(|field| without_marks(field.trim_ascii(), b'"', b'"'))
}

fn columns_without_header(count: usize) -> Vec<Column> {
    match count {
        1 => vec![Column::Key],
        2 => vec![Column::Key, Column::Size],
        _ => vec![Column::Seconds, Column::Key, Column::Size],
    }
}

fn row<'a>(columns: &[Column], line: &'a [u8]) -> Result<Record<'a>, Reject> {
    let (mut key, mut size, mut time_us) = (&b""[..], None, None);
    let mut fields = fields(line);
    for column in columns {
        let field = fields.next().ok_or(Reject::TooFewFields)?;
        match column {
            Column::Key => key = field,
            Column::Size => size = Some(number(field).ok_or(Reject::BadSize)?),
            Column::Seconds => time_us = Some(epoch_seconds_us(field).ok_or(Reject::BadTime)?),
            Column::Milliseconds => time_us = Some(scaled_us(field, 1_000)?),
            Column::Microseconds => time_us = Some(scaled_us(field, 1)?),
            Column::Ignored => {}
        }
    }
    Ok(read_of(target(key)?, time_us, size))
}

fn scaled_us(field: &[u8], unit_us: i64) -> Result<i64, Reject> {
    let time_us = number(field).and_then(|count| epoch_us(count, unit_us));
    time_us.ok_or(Reject::BadTime)
}

fn target(key: &[u8]) -> Result<RequestTarget<'_>, Reject> {
    match number(key) {
        Some(number) => Ok(RequestTarget::Key(number)),
        None if key.is_empty() => Err(Reject::BadKey),
        None => Ok(RequestTarget::Url(key)),
    }
}
