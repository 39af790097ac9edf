//! The token list that format strings compile to, and how it reads a line.

use super::field::{Field, TimeFormat};
use super::{Dialect, PatternError, Token, Written, apache, directive, nginx};
use crate::formats::clock::{
    CLF_TIME_LEN, ClfClock, SECOND_US, civil_us, epoch_seconds_us, epoch_us, iso8601_us,
};
use crate::formats::escapes::unescape;
use crate::formats::field::{
    leading_status, number, said, size, status, trim_line_end, without_port,
};
use crate::formats::request_line::{self, RequestLine};
use crate::formats::{Format, Record, Reject, Target};
use crate::{Method, Protocol};
use jiff::fmt::strtime::BrokenDownTime;
use memchr::memmem;

/// A custom format.
///
/// A field ends where the text that follows it in the format string comes next; where a status or a size
/// follows that text, where it comes next with one behind it, so quotes inside a request do no harm. What
/// follows the last field that is used is not looked at.
#[derive(Clone, Debug)]
pub struct Pattern {
    tokens: Vec<Token>,
    clock: ClfClock,
    target: Vec<u8>,
}

impl Pattern {
    /// Compiles a format string, or a directive or its quoted pieces as they stand in a server's
    /// configuration: nginx's where it holds a `$`, else Apache's. `time_format` (strptime)
    /// replaces the way its time field is written.
    ///
    /// # Errors
    /// [`PatternError`], with the variable, its column and the fix.
    pub fn compile(format: &str, time_format: Option<&str>) -> Result<Pattern, PatternError> {
        let format = &*directive::format_string(format)?;
        if format.contains('$') {
            Pattern::nginx(format, time_format)
        } else {
            Pattern::apache(format, time_format)
        }
    }

    /// Compiles an nginx `log_format` string.
    ///
    /// # Errors
    /// See [`Pattern::compile`].
    pub fn nginx(format: &str, time_format: Option<&str>) -> Result<Pattern, PatternError> {
        Pattern::of(format, nginx::tokens(format)?, nginx::DIALECT, time_format)
    }

    /// Compiles an Apache `LogFormat` string.
    ///
    /// # Errors
    /// See [`Pattern::compile`].
    pub fn apache(format: &str, time_format: Option<&str>) -> Result<Pattern, PatternError> {
        Pattern::of(
            format,
            apache::tokens(format)?,
            apache::DIALECT,
            time_format,
        )
    }

    fn of(
        format: &str,
        written: Vec<Written>,
        dialect: Dialect,
        time_format: Option<&str>,
    ) -> Result<Pattern, PatternError> {
        let mut tokens = merge(written)?;
        skip_lesser(&mut tokens);
        if let Some(time_format) = time_format {
            set_time_format(&mut tokens, time_format);
        }
        check(format, &tokens, dialect)?;
        drop_unused_end(&mut tokens);
        Ok(Pattern {
            tokens,
            clock: ClfClock::default(),
            target: Vec::new(),
        })
    }
}

/// Joins neighbouring literals and skipped fields, and a path with the query behind it (`%U%q`); refuses
/// any other neighbouring fields, except a path behind anything (`$host$request_uri`): it starts at the `/`.
fn merge(written: Vec<Written>) -> Result<Vec<Token>, PatternError> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut before = String::new();
    for Written {
        token,
        text,
        column,
    } in written
    {
        match (tokens.last_mut(), token) {
            (Some(Token::Literal(left)), Token::Literal(right)) => left.extend(right),
            (Some(Token::Field(Field::Skip)), Token::Field(Field::Skip)) => {}
            (Some(Token::Field(path @ Field::Path)), Token::Field(Field::Query)) => {
                *path = Field::Target
            }
            (Some(Token::Field(Field::Target | Field::Query)), Token::Field(Field::Query)) => {}
            (Some(Token::Field(left)), Token::Field(right)) if !starts_at_slash(left, &right) => {
                return Err(PatternError::Unseparated {
                    first: before,
                    second: text,
                    column,
                });
            }
            (_, token) => tokens.push(token),
        }
        before = text;
    }
    Ok(tokens)
}

fn starts_at_slash(left: &Field, right: &Field) -> bool {
    let is_path = |field: &Field| matches!(field, Field::Target | Field::Path);
    is_path(right) && !is_path(left)
}

/// Skips fields that a better one makes superfluous, and repeated ones.
fn skip_lesser(tokens: &mut [Token]) {
    let all: Vec<Field> = fields(tokens).cloned().collect();
    let mut seen: Vec<Field> = Vec::new();
    for token in tokens {
        let Token::Field(field) = token else { continue };
        let superfluous =
            field.better().iter().any(|better| all.contains(better)) || is_repeated(field, &seen);
        if superfluous {
            *field = Field::Skip;
        }
        seen.push(field.clone());
    }
}

fn is_repeated(field: &Field, seen: &[Field]) -> bool {
    match field {
        Field::Time(_) => seen.iter().any(|seen| matches!(seen, Field::Time(_))),
        _ => seen.contains(field),
    }
}

fn fields(tokens: &[Token]) -> impl Iterator<Item = &Field> {
    tokens.iter().filter_map(|token| match token {
        Token::Field(field) => Some(field),
        Token::Literal(_) => None,
    })
}

fn set_time_format(tokens: &mut [Token], time_format: &str) {
    for token in tokens {
        if let Token::Field(Field::Time(format)) = token {
            *format = TimeFormat::Strptime(time_format.to_owned());
        }
    }
}

fn check(format: &str, tokens: &[Token], dialect: Dialect) -> Result<(), PatternError> {
    if fields(tokens).next().is_none() {
        return Err(PatternError::NoFields {
            format: format.to_owned(),
        });
    }
    let has = |wanted: &[Field]| fields(tokens).any(|field| wanted.contains(field));
    if !has(&[Field::Request, Field::Target, Field::Path]) {
        return Err(PatternError::NoTarget {
            fix: dialect.target,
        });
    }
    if !has(&[Field::Status]) {
        return Err(PatternError::NoStatus {
            fix: dialect.status,
        });
    }
    fields(tokens).try_for_each(check_time)
}

/// A strptime format is usable when what it writes can be read back to an instant.
fn check_time(field: &Field) -> Result<(), PatternError> {
    let Field::Time(TimeFormat::Strptime(format)) = field else {
        return Ok(());
    };
    let refuse = |reason: String| PatternError::TimeFormat {
        format: format.clone(),
        reason,
    };
    let example = jiff::Timestamp::UNIX_EPOCH.to_zoned(jiff::tz::TimeZone::UTC);
    let text =
        jiff::fmt::strtime::format(format, &example).map_err(|error| refuse(error.to_string()))?;
    match strptime_prefix(format, text.as_bytes()) {
        Some((_, used)) if used == text.len() => Ok(()),
        _ => Err(refuse("it does not determine a date and a time".to_owned())),
    }
}

/// Drops what follows the last field that is used, so that lines cut short or with more fields are read.
/// The literal right behind it stays: it ends the field.
fn drop_unused_end(tokens: &mut Vec<Token>) {
    let used = |token: &Token| matches!(token, Token::Field(field) if *field != Field::Skip);
    let last = tokens.iter().rposition(used).unwrap_or(0);
    tokens.truncate(last + 2);
}

/// The fields of one line.
#[derive(Debug, Default)]
struct Values<'a> {
    client: &'a [u8],
    forwarded_for: &'a [u8],
    host: &'a [u8],
    time_us: Option<i64>,
    request: Option<&'a [u8]>,
    method: &'a [u8],
    path: &'a [u8],
    query: &'a [u8],
    protocol: &'a [u8],
    status: u16,
    bytes: Option<u64>,
}

impl Format for Pattern {
    fn name(&self) -> &'static str {
        "custom"
    }

    fn parse<'a>(&'a mut self, record: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let line = trim_line_end(record);
        if line.is_empty() {
            return Ok(None);
        }
        let values = self.read(line)?;
        Ok(Some(values.record(&mut self.target)))
    }
}

impl Pattern {
    fn read<'a>(&mut self, line: &'a [u8]) -> Result<Values<'a>, Reject> {
        let mut values = Values::default();
        let mut rest = line;
        for (index, token) in self.tokens.iter().enumerate() {
            let after = &self.tokens[index + 1..];
            rest = match token {
                Token::Literal(literal) => skip_literal(literal, rest, after.is_empty())?,
                Token::Field(Field::Time(format)) => {
                    let (time_us, used) = read_time(format, &mut self.clock, rest, after)?;
                    values.time_us = Some(time_us);
                    &rest[used..]
                }
                Token::Field(field) => {
                    let length = field_length(rest, after).ok_or(Reject::NoMatch)?;
                    values.set(field, &rest[..length])?;
                    &rest[length..]
                }
            };
        }
        Ok(values)
    }
}

/// The literal at the end of the list has served its purpose when the field before it was cut.
fn skip_literal<'a>(literal: &[u8], rest: &'a [u8], at_end: bool) -> Result<&'a [u8], Reject> {
    match rest.strip_prefix(literal) {
        Some(rest) => Ok(rest),
        None if at_end => Ok(b""),
        None => Err(Reject::NoMatch),
    }
}

/// Length of the field at the start of `rest`: up to the literal that follows it, the last one (or one
/// whose literal was lost with the end of the line) up to the end.
fn field_length(rest: &[u8], after: &[Token]) -> Option<usize> {
    let literal = match after.first() {
        Some(Token::Literal(literal)) => literal,
        Some(Token::Field(_)) => return memchr::memchr(b'/', rest),
        None => return Some(rest.len()),
    };
    let next = after.get(1);
    let mut ends = memmem::find_iter(rest, literal);
    let end =
        ends.find(|end| next.is_none_or(|next| can_start(next, &rest[end + literal.len()..])));
    match (end, next) {
        (None, None) => Some(rest.len()),
        (end, _) => end,
    }
}

/// Whether `text` can be the start of `token`; only statuses and sizes have a telling shape.
fn can_start(token: &Token, text: &[u8]) -> bool {
    match token {
        Token::Field(Field::Status) => {
            leading_status(text).is_some() || text.first() == Some(&b'-')
        }
        Token::Field(Field::BodyBytes | Field::SentBytes) => text
            .first()
            .is_some_and(|&byte| byte.is_ascii_digit() || byte == b'-'),
        _ => true,
    }
}

/// The time at the start of `rest` and its length. Times may hold the text that ends them (a space), so
/// those of known length are not searched for it.
fn read_time(
    format: &TimeFormat,
    clock: &mut ClfClock,
    rest: &[u8],
    after: &[Token],
) -> Result<(i64, usize), Reject> {
    let known = match format {
        TimeFormat::CommonLog => rest
            .first_chunk::<CLF_TIME_LEN>()
            .and_then(|text| clock.read_full(text))
            .map(|us| (us, CLF_TIME_LEN)),
        TimeFormat::Strptime(format) => strptime_prefix(format, rest),
        _ => None,
    };
    known
        .or_else(|| {
            let length = field_length(rest, after)?;
            delimited_time(format, clock, &rest[..length]).map(|us| (us, length))
        })
        .ok_or(Reject::BadTime)
}

fn delimited_time(format: &TimeFormat, clock: &mut ClfClock, text: &[u8]) -> Option<i64> {
    let scaled = |unit_us: i64| epoch_us(number(text)?, unit_us);
    match format {
        TimeFormat::CommonLog => clock.read(text),
        TimeFormat::Iso8601 => iso8601_us(text),
        TimeFormat::Seconds => epoch_seconds_us(text),
        TimeFormat::Milliseconds => scaled(SECOND_US / 1_000),
        TimeFormat::Microseconds => scaled(1),
        TimeFormat::Strptime(_) => None,
    }
}

/// The instant that the start of `text` spells in a strptime format, and its length in bytes.
fn strptime_prefix(format: &str, text: &[u8]) -> Option<(i64, usize)> {
    let (time, used) = BrokenDownTime::parse_prefix(format, text).ok()?;
    let instant = time
        .to_timestamp()
        .ok()
        .map(|instant| instant.as_microsecond());
    Some((
        instant.or_else(|| civil_us(time.to_datetime().ok()?))?,
        used,
    ))
}

impl<'a> Values<'a> {
    fn set(&mut self, field: &Field, text: &'a [u8]) -> Result<(), Reject> {
        match field {
            Field::Skip | Field::Time(_) => {}
            Field::Client => self.client = said(text),
            Field::ForwardedFor => self.forwarded_for = first_address(text),
            Field::Host | Field::ServerName => self.host = said(text),
            Field::Request => self.request = Some(text),
            Field::Method => self.method = text,
            Field::Target | Field::Path => self.path = said(text),
            Field::Query => self.query = said(text),
            Field::Protocol => self.protocol = said(text),
            Field::Status => self.status = status(text).ok_or(Reject::BadStatus)?,
            Field::BodyBytes | Field::SentBytes => {
                self.bytes = size(text).ok_or(Reject::BadSize)?
            }
        }
        Ok(())
    }

    fn record(self, scratch: &'a mut Vec<u8>) -> Record<'a> {
        let RequestLine {
            method,
            target,
            protocol,
        } = match self.request {
            Some(request) => request_line::split(request, scratch),
            None => self.request_line(scratch),
        };
        Record {
            time_us: self.time_us,
            client: if self.forwarded_for.is_empty() {
                self.client
            } else {
                self.forwarded_for
            },
            host: without_port(self.host),
            method,
            target: Target::Url(target),
            protocol,
            status: self.status,
            bytes: self.bytes,
            size: None,
        }
    }

    /// The request put together from fields of its own. Without a method it counts as a GET.
    fn request_line(&self, scratch: &'a mut Vec<u8>) -> RequestLine<'a> {
        let method = if self.method.is_empty() {
            Method::Get
        } else {
            request_line::method(self.method)
        };
        let protocol = if self.protocol.is_empty() {
            Protocol::Unknown
        } else {
            request_line::protocol(self.protocol)
        };
        RequestLine {
            method,
            target: self.join(scratch),
            protocol,
        }
    }

    fn join(&self, scratch: &'a mut Vec<u8>) -> &'a [u8] {
        let query = self.query.strip_prefix(b"?").unwrap_or(self.query);
        let plain = query.is_empty() && memchr::memchr(b'\\', self.path).is_none();
        if plain {
            return self.path;
        }
        scratch.clear();
        unescape(self.path, scratch);
        if !query.is_empty() {
            scratch.push(b'?');
            unescape(query, scratch);
        }
        scratch
    }
}

/// The first of a list of addresses: the client that the nearest proxy's proxies name.
fn first_address(list: &[u8]) -> &[u8] {
    let first = list.split(|&byte| byte == b',').next().unwrap_or(b"");
    said(first.trim_ascii())
}
