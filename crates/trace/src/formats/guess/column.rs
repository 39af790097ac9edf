//! What the values of a column look like.

use crate::Protocol;
use crate::formats::address::{before_port, is_domain};
use crate::formats::clock::ClfClock;
use crate::formats::custom::{TimeFormat, strptime_prefix, whole};
use crate::formats::field::{number, size, status, without_port};
use crate::formats::request_line::{self, RequestLine};
use crate::formats::words_before_time::{is_address, names_host};
use std::collections::HashMap;

/// The share of a column's values that must have a shape, in percent: some lines are odd in every log.
const MOST_PERCENT: usize = 95;

/// Ways to write a time besides the common log's, ISO 8601 and numbers. Month first is tried last: where no day is
/// above 12, the first form wins, and the guess is shown before it is used.
const TIME_FORMS: [&str; 27] = [
    "%Y-%m-%d %H:%M:%S%.f %z",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%d %H:%M:%S,%f",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%dT%H:%M:%S%.f%z",
    "%Y/%m/%d %H:%M:%S%.f",
    "%Y/%m/%d-%H:%M:%S%.f",
    "%d/%b/%Y %H:%M:%S%.f",
    "%d/%b/%Y:%H:%M:%S%.f",
    "%d/%b/%Y:%H:%M:%S%.f %z",
    "%d/%b/%Y:%H:%M:%S UTC",
    "%d/%b/%Y:%H:%M:%S GMT",
    "%a, %d %b %Y %H:%M:%S GMT",
    "%Y/%m/%d - %H:%M:%S%.f",
    "%d-%b-%Y %H:%M:%S%.f",
    "%d.%m.%Y %H:%M:%S%.f",
    "%a %b %d %H:%M:%S %Y",
    "%a, %d %b %Y %H:%M:%S %z",
    "%d/%m/%Y %H:%M:%S%.f",
    "%Y%m%d%H%M%S",
    "%m/%d/%Y %H:%M:%S%.f",
    // IIS Log File Format: date and time in two columns.
    "%m/%d/%y, %H:%M:%S",
    "%m/%d/%Y, %H:%M:%S",
    // Who writes AM and PM writes the month first.
    "%m/%d/%Y %I:%M:%S %p",
    "%m/%d/%Y, %I:%M:%S %p",
    "%d/%m/%Y %I:%M:%S %p",
    "%Y-%m-%d %I:%M:%S %p",
];

/// Methods that logs name (RFC 9110 §9, RFC 4918 for WebDAV's).
const METHODS: [&[u8]; 11] = [
    b"GET",
    b"HEAD",
    b"POST",
    b"PUT",
    b"DELETE",
    b"OPTIONS",
    b"PATCH",
    b"TRACE",
    b"CONNECT",
    b"PROPFIND",
    b"PURGE",
];

/// The least share of the values that must say something, and not `-`, in percent.
const TELLING_PERCENT: usize = 10;

/// Whether most of the `values` that are not `-` are accepted, and there are enough of them. It gives up at the first
/// value too many: most columns are not what is looked for, and times are slow to parse.
pub(super) fn most(values: &[&[u8]], accepts: impl Fn(&[u8]) -> bool) -> bool {
    let telling = values.iter().filter(|value| **value != b"-").count();
    let refusable = telling - (telling * MOST_PERCENT).div_ceil(100);
    let mut refused = (values.iter()).filter(|value| **value != b"-" && !accepts(value));
    telling > 0
        && telling * 100 >= values.len() * TELLING_PERCENT
        && refused.nth(refusable).is_none()
}

/// How the times are written, if that is what the values are.
pub(super) fn time_format(values: &[&[u8]]) -> Option<TimeFormat> {
    let digits = |length: usize| {
        let begins = |value: &[u8]| {
            let point = memchr::memchr(b'.', value).unwrap_or(value.len());
            point == length && number(&value[..point]).is_some() && matches!(value[0], b'1' | b'2')
        };
        most(values, begins)
    };
    // Ten digits count seconds from 2001 to 2286, thirteen milliseconds, sixteen microseconds.
    let plain = [
        (true, TimeFormat::CommonLog),
        (true, TimeFormat::Iso8601),
        (digits(10), TimeFormat::Seconds),
        (digits(13), TimeFormat::Milliseconds),
        (digits(16), TimeFormat::Microseconds),
    ];
    let plain = plain
        .into_iter()
        .filter(|(fits, _)| *fits)
        .map(|(_, format)| format);
    let written = TIME_FORMS
        .iter()
        .map(|form| TimeFormat::Strptime((*form).into()));
    plain
        .chain(written)
        .find(|format| most(values, |value| is_time(format, value)))
}

fn is_time(format: &TimeFormat, value: &[u8]) -> bool {
    match format {
        TimeFormat::Strptime(form) => {
            let read = strptime_prefix(form, value, &mut ClfClock::default());
            read.is_some_and(|(_, used)| used == value.len())
        }
        // Times without a year would have to be made up.
        TimeFormat::CommonLog if value.len() < b"17/May/2015:10:05:03".len() => false,
        _ => whole(format, &mut ClfClock::default(), value).is_some(),
    }
}

/// Which half of the day a time is in.
pub(super) fn is_half_of_day(value: &[u8]) -> bool {
    const HALVES: [&str; 4] = ["am", "pm", "a.m.", "p.m."];
    let is_half = |half: &&str| value.eq_ignore_ascii_case(half.as_bytes());
    HALVES.iter().any(is_half)
}

/// `GET /a HTTP/1.1`
pub(super) fn is_request(value: &[u8]) -> bool {
    let mut scratch = Vec::new();
    let RequestLine {
        target, protocol, ..
    } = request_line::split(value, &mut scratch);
    let word = value.split(|&byte| byte == b' ').next().unwrap_or(b"");
    let is_whole = memchr::memchr(b' ', target).is_none();
    is_method(word) && is_target(target) && is_whole && protocol != Protocol::Unknown
}

pub(super) fn is_method(value: &[u8]) -> bool {
    METHODS.contains(&value)
}

/// A path, an absolute URL, or `*` (RFC 9112 §3.2).
pub(super) fn is_target(value: &[u8]) -> bool {
    value.starts_with(b"/") || value == b"*" || is_absolute(value)
}

pub(super) fn is_absolute(value: &[u8]) -> bool {
    value.starts_with(b"http://") || value.starts_with(b"https://")
}

pub(super) fn is_protocol(value: &[u8]) -> bool {
    value.starts_with(b"HTTP/")
}

/// Statuses lie between 100 and 599 (RFC 9110 §15); `-` and 000 stand for no answer.
pub(super) fn is_status(value: &[u8]) -> bool {
    status(value).is_some_and(|status| status == 0 || (100..=599).contains(&status))
}

/// Statuses that most answers of any server have: a column of them holds no sizes.
pub(super) fn is_usual_status(value: &[u8]) -> bool {
    const USUAL: [u16; 18] = [
        101, 200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 500,
    ];
    status(value).is_some_and(|status| USUAL.contains(&status))
}

/// `203.0.113.7:4711`, or an address without a port.
pub(super) fn is_peer(value: &[u8]) -> bool {
    is_address(value) || before_port(value).is_some()
}

/// Whether answers with `status` hold no body (RFC 9110 §15.3.5, §15.4.5).
pub(super) fn has_no_body(status: &[u8]) -> bool {
    matches!(status, b"204" | b"304")
}

pub(super) fn is_size(value: &[u8]) -> bool {
    size(value).is_some()
}

/// An address or a list of them, as `X-Forwarded-For` holds.
pub(super) fn is_forwarded(value: &[u8]) -> bool {
    let mut addresses = value.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    addresses.all(is_address)
}

pub(super) fn is_list(value: &[u8]) -> bool {
    memchr::memchr(b',', value).is_some()
}

pub(super) fn is_host(value: &[u8]) -> bool {
    names_host(value) || is_address(value)
}

/// A domain, or this machine's name: what a host is told by among other words with dots and digits.
pub(super) fn is_certain_host(value: &[u8]) -> bool {
    is_domain(value) || without_port(value) == b"localhost"
}

/// Repeated requests from which on numbers that mostly differ between them are no sizes.
const TELLING_REPEATS: usize = 5;

/// How often a column of numbers differs between equal requests, whose parts are the columns `requests`: sizes
/// seldom do, durations, ports and process ids often. None where all are the same and the requests
/// are not, or where most differ.
pub(super) fn size_changes(requests: &[Vec<&[u8]>], numbers: &[&[u8]]) -> Option<usize> {
    let mut first: HashMap<Vec<&[u8]>, &[u8]> = HashMap::new();
    let mut changes = 0;
    for (line, &number) in numbers.iter().enumerate() {
        let request = requests.iter().map(|part| part[line]).collect();
        changes += usize::from(*first.entry(request).or_insert(number) != number);
    }
    let mut telling = numbers.iter().filter(|number| **number != b"-");
    let one = telling.next();
    let varies = telling.any(|number| Some(number) != one);
    let repeats = numbers.len() - first.len();
    let is_fickle = repeats >= TELLING_REPEATS && changes * 2 > repeats;
    (!is_fickle && (varies || first.len() <= 1)).then_some(changes)
}

/// Whether a value of a log's first line is the name of a column.
pub(super) fn is_name(value: &[u8]) -> bool {
    let in_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.() ".contains(byte);
    value.first().is_some_and(u8::is_ascii_alphabetic) && value.iter().all(in_name)
}

/// The rank of a column whose name says that it holds the sizes of answers.
pub(super) const NAMED_SIZE: u8 = 0;

/// How likely a column called `name` holds the sizes of answers, the likeliest first; none where it holds something else.
pub(super) fn size_rank(name: &[u8]) -> Option<u8> {
    const OTHER: [&str; 20] = [
        "received", "in", "cs", "request", "req", "upload", "time", "times", "taken", "duration",
        "took", "latency", "elapsed", "seconds", "ms", "us", "micros", "millis", "port", "id",
    ];
    const SIZE: [&str; 9] = [
        "sent", "out", "sc", "response", "bytes", "size", "length", "body", "download",
    ];
    let holds = |known: &[&str]| {
        let mut words = name.split(|byte| !byte.is_ascii_alphanumeric());
        words.any(|word| {
            known
                .iter()
                .any(|it| word.eq_ignore_ascii_case(it.as_bytes()))
        })
    };
    let rank = if holds(&SIZE) { NAMED_SIZE } else { 1 };
    (!holds(&OTHER)).then_some(rank)
}
