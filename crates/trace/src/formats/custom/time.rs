//! Times in the ways that a format string can have them written.

use super::field::TimeFormat;
use crate::formats::clock::{
    CLF_TIME_LEN, ClfClock, SECOND_US, epoch_seconds_us, epoch_us, iso8601_us,
};
use crate::formats::field::number;
use jiff::fmt::strtime::BrokenDownTime;

/// The time at the start of `text` and its length, where its form tells where it ends.
pub(super) fn leading(
    format: &TimeFormat,
    clock: &mut ClfClock,
    text: &[u8],
) -> Option<(i64, usize)> {
    match format {
        TimeFormat::CommonLog => text
            .first_chunk::<CLF_TIME_LEN>()
            .and_then(|text| clock.read_full(text))
            .map(|us| (us, CLF_TIME_LEN)),
        TimeFormat::Strptime(format) => strptime_prefix(format, text, clock),
        _ => None,
    }
}

/// The time that all of `text` is.
pub(in crate::formats) fn whole(
    format: &TimeFormat,
    clock: &mut ClfClock,
    text: &[u8],
) -> Option<i64> {
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
pub(in crate::formats) fn strptime_prefix(
    format: &str,
    text: &[u8],
    clock: &mut ClfClock,
) -> Option<(i64, usize)> {
    let (time, used) = BrokenDownTime::parse_prefix(format, text).ok()?;
    let instant = time
        .to_timestamp()
        .ok()
        .map(|instant| instant.as_microsecond());
    Some((
        instant.or_else(|| clock.local_us(time.to_datetime().ok()?))?,
        used,
    ))
}
