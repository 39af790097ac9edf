//! The format string that the first lines of a text log follow.

use super::cut::SEPARATORS;
use super::layout::{Columns, Place};
use super::missing::Missing;
use crate::formats::Format;
use crate::formats::custom::{Field, Pattern, TimeFormat, without_padding};
use crate::formats::evidence::is_enough;
use std::fmt;

/// A format string that the first lines of a log follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct GuessedString {
    /// In nginx's way, or in Apache's where nginx has no variable for its time.
    pub log_format: String,
    /// How its times are written (strptime), where no variable says it.
    pub time_format: Option<String>,
    /// Whether a run of spaces outside quotes counts as one, as it fills the width of a column.
    pub is_padded: bool,
    /// What else the lines may say.
    pub remarks: Vec<&'static str>,
}

impl GuessedString {
    /// The pattern of the format string.
    pub(crate) fn pattern(&self) -> Option<Pattern> {
        let pattern = Pattern::compile(&self.log_format, self.time_format.as_deref()).ok()?;
        Some(if self.is_padded {
            pattern.padded()
        } else {
            pattern
        })
    }
}

impl fmt::Display for GuessedString {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the format string '{}'", self.log_format)?;
        if let Some(times) = &self.time_format {
            write!(f, " with times as '{times}'")?;
        }
        if self.is_padded {
            write!(f, ", a run of spaces counting as one")?;
        }
        Ok(())
    }
}

/// The format string for a text log that begins with `lines`; where they follow none, for the lines without the
/// spaces that fill their columns.
///
/// # Errors
/// What is missing, by the separator that leads furthest.
pub(super) fn format_string(lines: &[&[u8]]) -> Result<GuessedString, Missing> {
    let missing = match as_it_stands(lines) {
        Ok(string) => return Ok(string),
        Err(missing) => missing,
    };
    let unpadded = lines.iter().map(|line| {
        let mut unpadded = Vec::new();
        without_padding(line, &mut unpadded);
        unpadded
    });
    let unpadded: Vec<Vec<u8>> = unpadded.collect();
    let unpadded: Vec<&[u8]> = unpadded.iter().map(Vec::as_slice).collect();
    if unpadded == lines {
        return Err(missing);
    }
    let string = as_it_stands(&unpadded).map_err(|_| missing)?;
    Ok(GuessedString {
        is_padded: true,
        ..string
    })
}

fn as_it_stands(lines: &[&[u8]]) -> Result<GuessedString, Missing> {
    let mut furthest = Missing::Time;
    for separator in SEPARATORS {
        match separated(lines, separator) {
            Ok(string) => return Ok(string),
            Err(missing) => furthest = furthest.max(missing),
        }
    }
    Err(furthest)
}

/// The format string, if `separator` stands between the values.
fn separated(lines: &[&[u8]], separator: u8) -> Result<GuessedString, Missing> {
    let columns = Columns::of(lines, separator);
    let places = columns.fields()?;
    let mut string = written(&columns, &places).ok_or(Missing::Layout)?;
    let read = count_read(&string, lines);
    if !is_enough(read, lines.len()) {
        return Err(Missing::Layout);
    }
    if columns.has_rival_size(&places) {
        string
            .remarks
            .push("another column of numbers could be the size");
    }
    if swapped_days(&string).is_some_and(|other| count_read(&other, lines) == read) {
        string
            .remarks
            .push("days and months could be the other way round");
    }
    Ok(string)
}

/// The same with days and months in each other's place, where numbers stand for both.
fn swapped_days(string: &GuessedString) -> Option<GuessedString> {
    let format = string.time_format.as_deref()?;
    let other = match format.split_once("%d/%m/") {
        Some((_, rest)) => format!("%m/%d/{rest}"),
        None => format!("%d/%m/{}", format.split_once("%m/%d/")?.1),
    };
    Some(GuessedString {
        time_format: Some(other),
        ..string.clone()
    })
}

/// How many of the lines follow the format string.
fn count_read(string: &GuessedString, lines: &[&[u8]]) -> usize {
    let Some(mut pattern) = string.pattern() else {
        return 0;
    };
    let read = lines
        .iter()
        .filter(|line| matches!(pattern.parse(line), Ok(Some(_))));
    read.count()
}

/// The format string of the columns up to the last that is used.
fn written(columns: &Columns<'_>, places: &[Place]) -> Option<GuessedString> {
    let time = Columns::time_format(places)?;
    let dialect = match time {
        TimeFormat::Milliseconds | TimeFormat::Microseconds => Dialect::Apache,
        _ => Dialect::Nginx,
    };
    let mut text = String::new();
    let mut at = 0;
    for place in places {
        while at < place.columns.start {
            dialect.append(&mut text, columns.lead(at))?;
            text += &dialect.skipped(at);
            at += 1;
        }
        dialect.append(&mut text, columns.lead(at))?;
        text += &dialect.field(&place.field);
        at = place.columns.end;
    }
    dialect.append(&mut text, columns.tail(at - 1))?;
    let time_format = match time {
        TimeFormat::Strptime(format) => Some(format.clone()),
        _ => None,
    };
    Some(GuessedString {
        log_format: text,
        time_format,
        is_padded: false,
        remarks: Vec::new(),
    })
}

/// Whose way of writing format strings.
#[derive(Clone, Copy)]
enum Dialect {
    Nginx,
    Apache,
}

impl Dialect {
    /// Appends the literal `bytes` to `text`, whose last variable nginx wants in braces where a letter follows it.
    fn append(self, text: &mut String, bytes: &[u8]) -> Option<()> {
        let literal = self.literal(bytes)?;
        let goes_on = literal.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if let (Dialect::Nginx, true, Some(dollar)) = (self, goes_on, text.rfind('$')) {
            text.insert(dollar + 1, '{');
            text.push('}');
        }
        text.push_str(&literal);
        Some(())
    }

    /// Text between the fields; none where the dialect cannot write it.
    fn literal(self, bytes: &[u8]) -> Option<String> {
        let text = std::str::from_utf8(bytes).ok()?;
        match self {
            Dialect::Nginx => (!text.contains('$')).then(|| text.to_owned()),
            Dialect::Apache => Some(
                text.replace('\\', "\\\\")
                    .replace('%', "%%")
                    .replace('\t', "\\t"),
            ),
        }
    }

    /// A field that is not used, by its column.
    fn skipped(self, column: usize) -> String {
        match self {
            Dialect::Nginx => format!("$column_{}", column + 1),
            Dialect::Apache => format!("%{{column_{}}}n", column + 1),
        }
    }

    fn field(self, field: &Field) -> String {
        let (nginx, apache) = match field {
            Field::Client => ("$remote_addr", "%a"),
            Field::Peer => ("$realip_remote_addr", "%{c}a"),
            Field::ForwardedFor => ("$http_x_forwarded_for", "%{X-Forwarded-For}i"),
            Field::Host | Field::ServerName => ("$host", "%{Host}i"),
            Field::Time(TimeFormat::Iso8601) => ("$time_iso8601", "%{%Y-%m-%dT%H:%M:%S%.f%:z}t"),
            Field::Time(TimeFormat::Seconds) => ("$msec", "%{sec}t"),
            Field::Time(TimeFormat::Milliseconds) => ("$msec", "%{msec}t"),
            Field::Time(TimeFormat::Microseconds) => ("$msec", "%{usec}t"),
            Field::Time(_) => ("$time_local", "%{%d/%b/%Y:%H:%M:%S %z}t"),
            Field::Request => ("$request", "%r"),
            Field::Method => ("$request_method", "%m"),
            Field::Target | Field::Path => ("$request_uri", "%U%q"),
            Field::Query => ("$args", "%q"),
            Field::Protocol => ("$server_protocol", "%H"),
            Field::Status => ("$status", "%>s"),
            Field::BodyBytes => ("$body_bytes_sent", "%B"),
            Field::SentBytes => ("$bytes_sent", "%O"),
            Field::Skip | Field::Took(_) => ("$column", "%{column}n"),
        };
        match self {
            Dialect::Nginx => nginx.into(),
            Dialect::Apache => apache.into(),
        }
    }
}
