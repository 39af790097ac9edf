//! Reading lines by the tokens of a format string.

use super::error::PatternError;
use super::field::{Field, TimeFormat, Unit};
use super::padding::without_padding;
use super::token::{Dialect, Token};
use super::{apache, compile, directive, nginx, time};
use crate::Zone;
use crate::formats::address::before_port;
use crate::formats::clock::{ClfClock, seconds_us};
use crate::formats::escapes::unescape;
use crate::formats::field::{leading_status, number, size, status, unless_dash, without_port};
use crate::formats::request_line::{self, RequestLine};
use crate::formats::{Format, Record, Reject};
use memchr::memmem;

/// A custom format.
///
/// A field ends where the text that follows it in the format string comes next; where a status or a size
/// follows that text, where it comes next with one behind it, so quotes inside a request do no harm. What
/// follows the last field that is used is not looked at.
#[derive(Clone, Debug)]
pub struct Pattern {
    tokens: Vec<Token>,
    /// What may follow: lines that lack it are read.
    rest: Vec<Token>,
    clock: ClfClock,
    target: Vec<u8>,
    is_padded: bool,
    line: Vec<u8>,
}

impl Pattern {
    /// Compiles a format string, or a directive or its quoted pieces as they stand in a server's
    /// configuration: nginx's where it holds a `$`, else Apache's. Pieces that cannot be joined are fields in quotes,
    /// which the lines have too. `time_format` (strptime) replaces the way its time field is written.
    ///
    /// # Errors
    /// [`PatternError`], with the variable, its column and the fix.
    pub fn compile(format: &str, time_format: Option<&str>) -> Result<Pattern, PatternError> {
        let joined = directive::format_string(format)?;
        match Pattern::in_its_dialect(&joined, time_format) {
            Err(PatternError::Unseparated { .. }) if directive::may_quote_its_fields(format) => {
                Pattern::in_its_dialect(format.trim(), time_format)
            }
            compiled => compiled,
        }
    }

    fn in_its_dialect(format: &str, time_format: Option<&str>) -> Result<Pattern, PatternError> {
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
        Pattern::of(format, &nginx::DIALECT, time_format)
    }

    /// Compiles an Apache `LogFormat` string.
    ///
    /// # Errors
    /// See [`Pattern::compile`].
    pub fn apache(format: &str, time_format: Option<&str>) -> Result<Pattern, PatternError> {
        Pattern::of(format, &apache::DIALECT, time_format)
    }

    fn of(
        format: &str,
        dialect: &Dialect,
        time_format: Option<&str>,
    ) -> Result<Pattern, PatternError> {
        let (tokens, rest) = compile::tokens(format, dialect, time_format)?;
        Ok(Pattern {
            tokens,
            rest,
            clock: ClfClock::default(),
            target: Vec::new(),
            is_padded: false,
            line: Vec::new(),
        })
    }

    /// The same pattern for lines whose columns are filled with spaces: a run of them outside quotes counts as one.
    pub(in crate::formats) fn padded(self) -> Pattern {
        Pattern {
            is_padded: true,
            ..self
        }
    }
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
    took_us: Option<u64>,
}

impl Format for Pattern {
    fn carries_state(&self) -> bool {
        self.clock.carries_state()
    }

    fn set_zone(&mut self, zone: &Zone) {
        self.clock.set_zone(zone);
    }

    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let line = if self.is_padded {
            without_padding(line, &mut self.line);
            &self.line
        } else {
            line
        };
        let mut values = Values::default();
        let rest = values.read(&self.tokens, &mut self.clock, line)?;
        if !self.rest.is_empty() {
            let _may_be_missing = values.read(&self.rest, &mut self.clock, rest);
        }
        Ok(Some(values.record(&mut self.target)))
    }
}

impl<'a> Values<'a> {
    /// Reads the fields of `tokens`; what is left of the line.
    fn read(
        &mut self,
        tokens: &[Token],
        clock: &mut ClfClock,
        line: &'a [u8],
    ) -> Result<&'a [u8], Reject> {
        let mut rest = line;
        for (index, token) in tokens.iter().enumerate() {
            let after = &tokens[index + 1..];
            rest = match token {
                Token::Literal(literal) => skip_literal(literal, rest, after.is_empty())?,
                Token::Field(Field::Time(format)) => {
                    let (time_us, used) = read_time(format, clock, rest, after)?;
                    self.time_us = Some(time_us);
                    &rest[used..]
                }
                Token::Field(field) => {
                    let length = field_length(rest, after).ok_or(Reject::NoMatch)?;
                    self.set(field, &rest[..length])?;
                    &rest[length..]
                }
            };
        }
        Ok(rest)
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

impl<'a> Values<'a> {
    fn set(&mut self, field: &Field, text: &'a [u8]) -> Result<(), Reject> {
        match field {
            Field::Skip | Field::Time(_) => {}
            Field::Client | Field::Peer => {
                self.client = before_port(text).unwrap_or(unless_dash(text));
            }
            Field::ForwardedFor => self.forwarded_for = first_address(text),
            Field::Host | Field::ServerName => self.host = unless_dash(text),
            Field::Request => self.request = Some(text),
            Field::Method => self.method = text,
            Field::Target | Field::Path => self.path = unless_dash(text),
            Field::Query => self.query = unless_dash(text),
            Field::Protocol => self.protocol = unless_dash(text),
            Field::Status => self.status = status(text).ok_or(Reject::BadStatus)?,
            Field::Took(unit) => self.took_us = took_us(*unit, text),
            Field::BodyBytes | Field::SentBytes => {
                self.bytes = size(text).ok_or(Reject::BadSize)?
            }
        }
        Ok(())
    }

    fn record(self, scratch: &'a mut Vec<u8>) -> Record<'a> {
        let request = match self.request {
            Some(request) => request_line::split(request, scratch),
            None => self.request_line(scratch),
        };
        Record {
            time_us: self.time_us,
            client: match self.forwarded_for {
                b"" => self.client,
                forwarded => forwarded,
            },
            host: without_port(self.host),
            status: self.status,
            bytes: self.bytes,
            took_us: self.took_us,
            ..request.record()
        }
    }

    /// The request put together from fields of its own. Without a method it counts as a GET.
    fn request_line(&self, scratch: &'a mut Vec<u8>) -> RequestLine<'a> {
        RequestLine {
            method: request_line::method_or_get(self.method),
            target: self.join(scratch),
            protocol: request_line::protocol(self.protocol),
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

/// The time at the start of `rest` and its length. Times may hold the text that ends them (a space), so
/// those of known length are not searched for it.
fn read_time(
    format: &TimeFormat,
    clock: &mut ClfClock,
    rest: &[u8],
    after: &[Token],
) -> Result<(i64, usize), Reject> {
    time::leading(format, clock, rest)
        .or_else(|| {
            let length = field_length(rest, after)?;
            time::whole(format, clock, &rest[..length]).map(|us| (us, length))
        })
        .ok_or(Reject::BadTime)
}

/// A duration in microseconds.
fn took_us(unit: Unit, text: &[u8]) -> Option<u64> {
    match unit {
        Unit::Seconds => seconds_us(text),
        Unit::Milliseconds => number(text)?.checked_mul(1000),
        Unit::Microseconds => number(text),
    }
}

/// The first of a list of addresses: the client that the nearest proxy's proxies name.
fn first_address(list: &[u8]) -> &[u8] {
    let first = list.split(|&byte| byte == b',').next().unwrap_or(b"");
    unless_dash(first.trim_ascii())
}
