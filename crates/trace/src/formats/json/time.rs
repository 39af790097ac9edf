//! Times and durations in JSON logs.

use super::decimal::Decimal;
use crate::formats::clock::{CLF_TIME_LEN, ClfClock, bounded, iso8601_us};
use crate::formats::field::without_marks;

/// The instant that a number or text names, in microseconds since 1970: seconds, milliseconds, microseconds or
/// nanoseconds (told apart by magnitude), RFC 3339 or ISO 8601, or the time of the common log format. Text that
/// names no zone is read on the clocks of `clock`.
pub(crate) fn instant_us(text: &[u8], clock: &mut ClfClock) -> Option<i64> {
    // What parsers say of text that is not theirs costs more than reading it.
    match text.get(4) {
        Some(b'-') => without_zone_us(text, clock).or_else(|| iso8601_us(text)),
        _ if text.contains(&b'/') => {
            common_log_us(text, clock).or_else(|| without_zone_us(text, clock))
        }
        _ => epoch_us(&Decimal::whole(text)?),
    }
}

/// A count since 1970. Seconds up to the year 5138, milliseconds and microseconds up to the same, else
/// nanoseconds; each unit below that lies within a few months of 1970.
fn epoch_us(number: &Decimal) -> Option<i64> {
    const MOST_SECONDS: u64 = 100_000_000_000;
    const MOST_MILLISECONDS: u64 = MOST_SECONDS * 1000;
    const MOST_MICROSECONDS: u64 = MOST_MILLISECONDS * 1000;
    if number.is_negative() {
        return None;
    }
    let power = match number.scaled(0)? {
        0..MOST_SECONDS => 6,
        MOST_SECONDS..MOST_MILLISECONDS => 3,
        MOST_MILLISECONDS..MOST_MICROSECONDS => 0,
        _ => -3,
    };
    bounded(i64::try_from(number.scaled(power)?).ok()?)
}

/// `17/May/2015:10:05:03 +0000`, perhaps in brackets or without its zone.
fn common_log_us(text: &[u8], clock: &mut ClfClock) -> Option<i64> {
    let text = without_marks(text, b'[', b']');
    let is_whole = text.len() == CLF_TIME_LEN || text.len() == CLF_TIME_LEN - " +0000".len();
    is_whole.then(|| clock.read(text))?
}

/// `2015-05-17T10:05:03.250`, `2015-05-17 10:05:03` or `2015/05/17 10:05:03`, with any fraction of the second.
fn without_zone_us(text: &[u8], clock: &mut ClfClock) -> Option<i64> {
    const SECONDS_END: usize = "2015-05-17T10:05:03".len();
    let text = std::str::from_utf8(text).ok()?;
    let (seconds, fraction) = text.split_at_checked(SECONDS_END)?;
    let has_zone = fraction.contains(|c: char| !c.is_ascii_digit() && c != '.' && c != ',');
    let separators = [4, 7, 10].map(|at| seconds.as_bytes()[at]);
    let is_known = matches!(
        separators,
        [b'-', b'-', b'T' | b' '] | [b'/', b'/', b' ' | b'T']
    );
    if has_zone || !is_known {
        return None;
    }
    clock.local_us(text.replace('/', "-").parse().ok()?)
}

/// How long a request took, in microseconds: a number of units of ten to the power of `power` microseconds, or text
/// with units as Go writes it (`1m2.5s`, `0.25s`, `850µs`). Below zero, where a clock was set back, it is nothing.
pub(super) fn duration_us(text: &[u8], power: i32) -> Option<i64> {
    let us = match Decimal::whole(text) {
        Some(number) if number.is_negative() => 0,
        Some(number) => number.scaled(power)?,
        None => with_units_us(text)?,
    };
    i64::try_from(us).ok()
}

fn with_units_us(text: &[u8]) -> Option<u64> {
    let mut rest = text;
    let mut us = 0u64;
    while !rest.is_empty() {
        let (number, used) = Decimal::leading(rest)?;
        let (power, times, unit) = unit(&rest[used..])?;
        us = us.checked_add(number.scaled(power)?.checked_mul(times)?)?;
        rest = &rest[used + unit..];
    }
    (!text.is_empty()).then_some(us)
}

/// The unit at the start of `text`: a power of ten of microseconds, how many of them, and its length (the
/// documentation of Go's `time.ParseDuration`).
fn unit(text: &[u8]) -> Option<(i32, u64, usize)> {
    let length = text
        .iter()
        .take_while(|byte| !byte.is_ascii_digit() && **byte != b'-')
        .count();
    let (power, times) = match std::str::from_utf8(&text[..length]).ok()? {
        "ns" => (-3, 1),
        "us" | "\u{b5}s" | "\u{3bc}s" => (0, 1),
        "ms" => (3, 1),
        "s" => (6, 1),
        "m" => (6, 60),
        "h" => (6, 3600),
        _ => return None,
    };
    Some((power, times, length))
}
