//! From a line of JSON to a request, by a description of keys.

use super::decimal::Decimal;
use super::field::JsonField;
use super::scan::{Kind, Paths, ScanError, Value};
use super::string::decode;
use super::time::{duration_us, instant_us};
use crate::formats::clock::{ClfClock, bounded};
use crate::formats::field::{unless_dash, without_marks, without_port};
use crate::formats::request_line::{self, RequestLine, split_url};
use crate::formats::{Format, Record, Reject, RequestTarget};
use crate::{Method, Zone};

/// How the lines of a named format are read.
#[derive(Debug)]
pub(crate) struct Description {
    /// Fields and their keys, the first choice of each field first.
    pub keys: &'static [(JsonField, &'static str)],
    /// Fields without whose key a line is not of this format; time, method, path and status always are.
    pub also_needed: &'static [JsonField],
    /// The part of a query that the client sent.
    pub query: fn(&[u8]) -> &[u8],
    /// Whether the time stays the one of logging although a duration is logged.
    pub is_time_kept: bool,
    /// The key that may hold the whole record.
    pub envelope: Option<&'static str>,
}

impl Description {
    /// No keys, and nothing out of the ordinary.
    pub const PLAIN: Description = Description {
        keys: &[],
        also_needed: &[],
        query: whole_query,
        is_time_kept: false,
        envelope: None,
    };

    /// The keys of a record that stands alone, then those of one in the envelope.
    fn all_keys(&self) -> Vec<(JsonField, String)> {
        let alone = self
            .keys
            .iter()
            .map(|(field, key)| (*field, key.to_string()));
        let mut keys: Vec<_> = alone.collect();
        if let Some(outer) = self.envelope {
            let inside = |(field, key): &(JsonField, &str)| (*field, format!("{outer}.{key}"));
            keys.extend(self.keys.iter().map(inside));
        }
        keys
    }
}

/// The whole of a query is the client's.
fn whole_query(query: &[u8]) -> &[u8] {
    query
}

/// Reads lines of JSON, behind any prefix.
#[derive(Debug)]
pub(crate) struct JsonReader {
    paths: Paths,
    /// The paths of each field, in the order of [`JsonField::ALL`].
    choices: [Vec<usize>; JsonField::ALL.len()],
    also_needed: &'static [JsonField],
    client_query: fn(&[u8]) -> &[u8],
    is_time_kept: bool,
    found: Vec<Option<Value>>,
    clock: ClfClock,
    texts: Texts,
}

/// Scratch space for the strings that hold escapes, and for what is put together.
#[derive(Debug, Default)]
struct Texts {
    client: Vec<u8>,
    host: Vec<u8>,
    uri: Vec<u8>,
    target: Vec<u8>,
    passing: Vec<u8>,
}

impl JsonReader {
    /// A reader of a named format.
    pub fn of(description: &Description) -> JsonReader {
        JsonReader {
            also_needed: description.also_needed,
            client_query: description.query,
            is_time_kept: description.is_time_kept,
            ..JsonReader::new(&description.all_keys())
        }
    }

    /// A reader of lines that hold `keys`.
    pub fn new(keys: &[(JsonField, String)]) -> JsonReader {
        let choices = JsonField::ALL.map(|field| {
            let paths = keys.iter().enumerate();
            let paths = paths.filter(|(_, (of, _))| *of == field);
            paths.map(|(path, _)| path).collect()
        });
        JsonReader {
            paths: Paths::new(keys.iter().map(|(_, key)| key)),
            choices,
            also_needed: &[],
            client_query: whole_query,
            is_time_kept: false,
            found: Vec::new(),
            clock: ClfClock::default(),
            texts: Texts::default(),
        }
    }
}

/// The JSON object in a line: what follows a prefix (`caddy-1  | {…}`), which holds no brace.
pub(crate) fn object_in(line: &[u8]) -> Option<&[u8]> {
    match line.first() {
        Some(b'{') => Some(line),
        _ => memchr::memchr(b'{', line).map(|start| &line[start..]),
    }
}

impl Format for JsonReader {
    fn set_zone(&mut self, zone: &Zone) {
        self.clock.set_zone(zone);
    }

    fn parse_record<'a>(&'a mut self, line: &'a [u8]) -> Result<Option<Record<'a>>, Reject> {
        let document = object_in(line).ok_or(Reject::NotJson)?;
        self.paths
            .scan(document, &mut self.found)
            .map_err(|error| match error {
                ScanError::NotJson => Reject::NotJson,
                ScanError::SeveralValues => Reject::SeveralValues,
            })?;
        self.record(document).map(Some)
    }
}

impl JsonReader {
    fn record<'a>(&'a mut self, document: &'a [u8]) -> Result<Record<'a>, Reject> {
        let values = Values::of(&self.paths, &self.choices, &self.found, document);
        let texts = &mut self.texts;
        values.check()?;
        // A duration that bears on no time says nothing against a line where it cannot be read.
        let took_us = match self.is_time_kept || !values.has_keys(JsonField::Time) {
            true => values.took_us(&mut texts.passing).unwrap_or(None),
            false => values.took_us(&mut texts.passing)?,
        };
        let before_us = took_us.filter(|_| !self.is_time_kept).unwrap_or(0);
        let time_us = values.arrival_us(before_us, &mut self.clock, &mut texts.passing)?;
        let status = values.status(&mut texts.passing)?;
        let bytes = values.bytes(&mut texts.passing)?;
        if !self.also_needed.iter().all(|&field| values.is_there(field)) {
            return Err(Reject::NotARequest);
        }
        let client = values.client(&mut texts.client)?;
        let host = values.text(JsonField::Host, &mut texts.host)?;
        let protocol = values.text(JsonField::Protocol, &mut texts.passing)?;
        let protocol = request_line::protocol(protocol);
        let method = values.method(&mut texts.passing)?;
        let request = match values.has_text(JsonField::Request) {
            true => request_line::split_plain(values.text(JsonField::Request, &mut texts.uri)?),
            false => RequestLine {
                method,
                target: values.text(JsonField::Uri, &mut texts.uri)?,
                protocol,
            },
        };
        let query = values.text(JsonField::Query, &mut texts.passing)?;
        let target = with_query(
            request.target,
            (self.client_query)(query),
            &mut texts.target,
        );
        let (host, target) = locate(without_port(host), target);
        Ok(Record {
            time_us,
            client,
            host,
            target: RequestTarget::Url(target),
            status,
            bytes,
            took_us: took_us.and_then(|took_us| u64::try_from(took_us).ok()),
            ..request.record()
        })
    }
}

/// Target and query, unless the target has a query.
fn with_query<'a>(target: &'a [u8], query: &[u8], scratch: &'a mut Vec<u8>) -> &'a [u8] {
    let query = query.strip_prefix(b"?").unwrap_or(query);
    if query.is_empty() || memchr::memchr(b'?', target).is_some() {
        return target;
    }
    scratch.clear();
    scratch.extend_from_slice(target);
    scratch.push(b'?');
    scratch.extend_from_slice(query);
    scratch
}

/// Host and target; where no host is logged, those of an absolute URL.
fn locate<'a>(host: &'a [u8], target: &'a [u8]) -> (&'a [u8], &'a [u8]) {
    if !host.is_empty() || target.starts_with(b"/") {
        return (host, target);
    }
    split_url(target).unwrap_or((host, target))
}

/// The values that were found in one document.
struct Values<'r, 'd> {
    paths: &'r Paths,
    choices: &'r [Vec<usize>; JsonField::ALL.len()],
    found: &'r [Option<Value>],
    document: &'d [u8],
    /// The first choice of each field that says something; else the first that is there and not null.
    first: [Option<Value>; JsonField::ALL.len()],
}

impl<'r, 'd> Values<'r, 'd> {
    fn of(
        paths: &'r Paths,
        choices: &'r [Vec<usize>; JsonField::ALL.len()],
        found: &'r [Option<Value>],
        document: &'d [u8],
    ) -> Values<'r, 'd> {
        let first = |choices: &Vec<usize>| {
            let all = choices.iter().filter_map(|&path| paths.value(path, found));
            let mut known = all.filter(|value| value.kind != Kind::Null);
            let first = known.next()?;
            match says_something(&first, document) {
                true => Some(first),
                false => known
                    .find(|value| says_something(value, document))
                    .or(Some(first)),
            }
        };
        Values {
            paths,
            choices,
            found,
            document,
            first: choices.each_ref().map(first),
        }
    }

    /// Whether the description has keys for `field`.
    #[inline]
    fn has_keys(&self, field: JsonField) -> bool {
        !self.choices[field as usize].is_empty()
    }

    /// What the keys of `field` hold, null included, first choice first.
    fn all(&self, field: JsonField) -> impl Iterator<Item = Value> {
        let paths = self.choices[field as usize].iter();
        paths.filter_map(|&path| self.paths.value(path, self.found))
    }

    /// Whether a line holds a key of `field`, with null perhaps.
    fn is_there(&self, field: JsonField) -> bool {
        self.all(field).next().is_some()
    }

    /// The first choice for `field` that says something; else the first that is there.
    #[inline]
    fn first(&self, field: JsonField) -> Option<Value> {
        self.first[field as usize]
    }

    fn has_text(&self, field: JsonField) -> bool {
        let first = self.first(field);
        first.is_some_and(|value| says_something(&value, self.document))
    }

    /// That the fields are there which make a request of a line: of time, method, target and status those that the
    /// description has keys for.
    fn check(&self) -> Result<(), Reject> {
        let has = |field: JsonField| self.first(field).is_some();
        let has_if_wanted = |field: JsonField| !self.has_keys(field) || has(field);
        let has_target =
            has(JsonField::Request) || has(JsonField::Uri) && has_if_wanted(JsonField::Method);
        let is_request =
            has_target && has_if_wanted(JsonField::Time) && has_if_wanted(JsonField::Status);
        is_request.then_some(()).ok_or(Reject::NotARequest)
    }

    /// The text or number of `field`, with escapes undone in `scratch`; empty where there is none, or `-`.
    #[inline]
    fn text<'a>(&self, field: JsonField, scratch: &'a mut Vec<u8>) -> Result<&'a [u8], Reject>
    where
        'd: 'a,
    {
        let value = self.first(field);
        let text = value.map_or(Ok(&b""[..]), |value| self.decoded(value, scratch))?;
        Ok(unless_dash(text))
    }

    #[inline]
    fn decoded<'a>(&self, value: Value, scratch: &'a mut Vec<u8>) -> Result<&'a [u8], Reject>
    where
        'd: 'a,
    {
        let bytes = value.bytes(self.document);
        match value.kind {
            Kind::Plain | Kind::Number => Ok(bytes),
            Kind::Escaped => {
                scratch.clear();
                decode(bytes, scratch).ok_or(Reject::NotJson)?;
                Ok(scratch)
            }
            Kind::Null => Ok(b""),
            Kind::Boolean | Kind::Object => Err(Reject::NotARequest),
        }
    }

    /// The method; `Get` where the description has none.
    fn method(&self, scratch: &mut Vec<u8>) -> Result<Method, Reject> {
        match self.has_keys(JsonField::Method) {
            true => Ok(request_line::method(self.text(JsonField::Method, scratch)?)),
            false => Ok(Method::Get),
        }
    }

    /// The first address that names a client, without its port and an IPv6 address's brackets.
    fn client<'a>(&self, scratch: &'a mut Vec<u8>) -> Result<&'a [u8], Reject>
    where
        'd: 'a,
    {
        let text = self.text(JsonField::Client, scratch)?;
        let first = text.split(|&byte| byte == b',').next().unwrap_or(b"");
        let address = without_port(first.trim_ascii());
        Ok(without_marks(address, b'[', b']'))
    }

    /// A status; 0 where there was no answer.
    fn status(&self, scratch: &mut Vec<u8>) -> Result<u16, Reject> {
        let text = self.text(JsonField::Status, scratch)?;
        let number = match text {
            b"" => Some(0),
            _ => Decimal::whole(text).and_then(|number| number.integer()),
        };
        let status = number.and_then(|number| u16::try_from(number).ok());
        status.filter(|&it| it <= 999).ok_or(Reject::BadStatus)
    }

    fn bytes(&self, scratch: &mut Vec<u8>) -> Result<Option<u64>, Reject> {
        let text = self.text(JsonField::Bytes, scratch)?;
        if text.is_empty() {
            return Ok(None);
        }
        let number = Decimal::whole(text).and_then(|number| number.integer());
        number.map(Some).ok_or(Reject::BadSize)
    }

    /// The time, less what it is after the arrival.
    fn arrival_us(
        &self,
        before_us: i64,
        clock: &mut ClfClock,
        scratch: &mut Vec<u8>,
    ) -> Result<Option<i64>, Reject> {
        if !self.has_keys(JsonField::Time) {
            return Ok(None);
        }
        let text = self.text(JsonField::Time, scratch)?;
        let logged = match self.has_keys(JsonField::Date) {
            true => {
                let (mut day, mut both) = (Vec::new(), Vec::new());
                let day = self.text(JsonField::Date, &mut day)?;
                both.extend_from_slice(day);
                both.push(b'T');
                both.extend_from_slice(text);
                instant_us(&both, clock)
            }
            false => instant_us(text, clock),
        };
        let logged = logged.ok_or(Reject::BadTime)?;
        let arrival = logged.checked_sub(before_us);
        arrival.and_then(bounded).map(Some).ok_or(Reject::BadTime)
    }

    /// How long the request took, where the log says so.
    fn took_us(&self, scratch: &mut Vec<u8>) -> Result<Option<i64>, Reject> {
        const UNITS: [(JsonField, i32); 4] = [
            (JsonField::Duration, 6),
            (JsonField::DurationMs, 3),
            (JsonField::DurationUs, 0),
            (JsonField::DurationNs, -3),
        ];
        for (field, power) in UNITS {
            let text = self.text(field, scratch)?;
            if !text.is_empty() {
                return duration_us(text, power).map(Some).ok_or(Reject::BadTime);
            }
        }
        Ok(None)
    }
}

#[inline]
fn says_something(value: &Value, document: &[u8]) -> bool {
    !unless_dash(value.bytes(document)).is_empty()
}
