//! Timestamps as logs write them, in microseconds since 1970-01-01 UTC.

use super::field::two_digits;
use crate::Zone;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

pub(super) const SECOND_US: i64 = 1_000_000;
const MINUTE_US: i64 = 60 * SECOND_US;
const HOUR_US: i64 = 60 * MINUTE_US;
const DAY_US: i64 = 24 * HOUR_US;

/// The last microsecond of the year 9999.
const MOST_US: i64 = 253_402_300_799_999_999;

/// A count of `unit_us` microseconds since 1970 as a time; `None` past the year 9999, so that differences
/// of times never overflow.
pub(super) fn epoch_us(count: u64, unit_us: i64) -> Option<i64> {
    bounded(i64::try_from(count).ok()?.checked_mul(unit_us)?)
}

/// `time_us`, unless it lies further from 1970 than the year 9999.
pub(super) fn bounded(time_us: i64) -> Option<i64> {
    (-MOST_US..=MOST_US).contains(&time_us).then_some(time_us)
}

/// Midnight UTC of a date.
pub(super) fn midnight_us(year: i16, month: i8, day: i8) -> Option<i64> {
    civil_us(Date::new(year, month, day).ok()?.into())
}

/// A date and time of UTC.
fn civil_us(time: DateTime) -> Option<i64> {
    let zoned = time.to_zoned(TimeZone::UTC).ok()?;
    Some(zoned.timestamp().as_microsecond())
}

/// An RFC 3339 or ISO 8601 instant with its offset.
pub(super) fn iso8601_us(text: &[u8]) -> Option<i64> {
    let instant: jiff::Timestamp = std::str::from_utf8(text).ok()?.parse().ok()?;
    Some(instant.as_microsecond())
}

/// A duration in seconds, perhaps with a fraction, in microseconds.
pub(super) fn seconds_us(text: &[u8]) -> Option<u64> {
    u64::try_from(epoch_seconds_us(text)?).ok()
}

/// Seconds since 1970 with an optional fraction, exactly: `1066036250.603`.
pub(super) fn epoch_seconds_us(text: &[u8]) -> Option<i64> {
    let (seconds, used) = super::field::leading_number(text)?;
    let seconds = epoch_us(seconds, SECOND_US)?;
    match &text[used..] {
        [] => Some(seconds),
        [b'.', fraction @ ..] => bounded(seconds + fraction_us(fraction)?),
        _ => None,
    }
}

/// The digits after a decimal point, in microseconds; digits past the sixth are cut off.
pub(super) fn fraction_us(digits: &[u8]) -> Option<i64> {
    let (mut value, mut unit_us) = (0, SECOND_US);
    for digit in digits.iter().map(|byte| byte.wrapping_sub(b'0')) {
        if digit > 9 {
            return None;
        }
        unit_us /= 10;
        value += i64::from(digit) * unit_us;
    }
    Some(value)
}

/// `hh:mm:ss` with an optional fraction, since midnight. A leap second (60) is the next minute's start.
pub(super) fn time_of_day_us(text: &[u8]) -> Option<i64> {
    let (hour, minute, second) = (
        two_digits(text, 0)?,
        two_digits(text, 3)?,
        two_digits(text, 6)?,
    );
    if hour > 23 || minute > 59 || second > 60 || text[2] != b':' || text[5] != b':' {
        return None;
    }
    let whole =
        i64::from(hour) * HOUR_US + i64::from(minute) * MINUTE_US + i64::from(second) * SECOND_US;
    match &text[8..] {
        [] => Some(whole),
        [b'.', fraction @ ..] => Some(whole + fraction_us(fraction)?),
        _ => None,
    }
}

/// The clocks that times without a zone were read from: those of UTC unless a zone is set.
#[derive(Clone, Debug)]
pub(super) struct LocalClock {
    zone: Zone,
    /// The last minute that was read, and by how much the clocks were ahead of UTC then.
    minute: i64,
    ahead_us: i64,
}

impl Default for LocalClock {
    fn default() -> LocalClock {
        LocalClock::of(Zone::UTC)
    }
}

impl LocalClock {
    /// The clocks of `zone`.
    pub fn of(zone: Zone) -> LocalClock {
        LocalClock {
            zone,
            minute: i64::MIN,
            ahead_us: 0,
        }
    }

    /// The moment at which the clocks show `shown_us`, microseconds since they showed 1970-01-01 00:00.
    #[inline]
    pub fn moment_us(&mut self, shown_us: i64) -> Option<i64> {
        let minute = shown_us.div_euclid(MINUTE_US);
        if minute != self.minute {
            self.ahead_us = shown_us - self.zone.moment_us(shown_us)?;
            self.minute = minute;
        }
        Some(shown_us - self.ahead_us)
    }
}

/// Bytes of `17/May/2015:10:05:03 +0000`.
pub(super) const CLF_TIME_LEN: usize = 26;
/// Bytes of its `17/May/2015:10`, which the minutes follow.
const CLF_HOUR_LEN: usize = 14;
/// Where its zone `+0000` starts.
const CLF_ZONE: usize = 21;

/// Reads the time of the common log format, remembering the hour of the line before: lines of one hour
/// differ in minutes and seconds only.
#[derive(Clone, Debug, Default)]
pub(super) struct ClfClock {
    last: [u8; CLF_TIME_LEN],
    last_us: i64,
    hour_us: i64,
    days: DayClock,
    local: LocalClock,
}

impl ClfClock {
    /// A whole timestamp of [`CLF_TIME_LEN`] bytes.
    #[inline]
    pub fn read_full(&mut self, text: &[u8; CLF_TIME_LEN]) -> Option<i64> {
        if *text == self.last {
            return Some(self.last_us);
        }
        let same_hour = text[..CLF_HOUR_LEN] == self.last[..CLF_HOUR_LEN]
            && text[CLF_ZONE..] == self.last[CLF_ZONE..];
        let hour_us = if same_hour {
            self.hour_us
        } else {
            clf_hour_us(text)?
        };
        let (minute, second) = (two_digits(text, 15)?, two_digits(text, 18)?);
        if minute > 59 || second > 60 || text[14] != b':' || text[17] != b':' || text[20] != b' ' {
            return None;
        }
        self.last = *text;
        self.hour_us = hour_us;
        self.last_us = hour_us + i64::from(minute) * MINUTE_US + i64::from(second) * SECOND_US;
        Some(self.last_us)
    }

    /// Whether times without a month were read, which the month of later ones depends on.
    pub fn carries_state(&self) -> bool {
        self.days.day > 0
    }

    /// As [`super::Format::set_zone`].
    pub fn set_zone(&mut self, zone: &Zone) {
        self.local = LocalClock::of(zone.clone());
    }

    /// What stands between the brackets: a full timestamp, one without a zone, or `day:hour:minute:second` alone (see
    /// [`DayClock`]).
    pub fn read(&mut self, text: &[u8]) -> Option<i64> {
        let shown_us = match text.len() {
            CLF_TIME_LEN => return self.read_full(text.try_into().ok()?),
            20 => {
                let mut full = *b"dd/Mon/yyyy:hh:mm:ss +0000";
                full[..20].copy_from_slice(text);
                self.read_full(&full)?
            }
            _ => self.days.read(text)?,
        };
        self.local.moment_us(shown_us)
    }

    /// A date and time that names no zone.
    pub fn local_us(&mut self, time: DateTime) -> Option<i64> {
        self.local.moment_us(civil_us(time)?)
    }
}

/// The UTC start of the hour that `17/May/2015:10:05:03 +0000` lies in, were its minutes and seconds 0.
fn clf_hour_us(text: &[u8; CLF_TIME_LEN]) -> Option<i64> {
    if text[2] != b'/' || text[6] != b'/' || text[11] != b':' {
        return None;
    }
    let year = two_digits(text, 7)? * 100 + two_digits(text, 9)?;
    let midnight = midnight_us(year as i16, month(&text[3..6])?, two_digits(text, 0)? as i8)?;
    let hour = two_digits(text, 12).filter(|&hour| hour <= 23)?;
    Some(midnight + i64::from(hour) * HOUR_US - zone_us(&text[CLF_ZONE..])?)
}

fn month(name: &[u8]) -> Option<i8> {
    const MONTHS: [&[u8; 3]; 12] = [
        b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov",
        b"Dec",
    ];
    let index = MONTHS.iter().position(|month| *month == name)?;
    Some(index as i8 + 1)
}

/// `+hhmm` or `-hhmm`, east positive.
fn zone_us(zone: &[u8]) -> Option<i64> {
    let offset =
        i64::from(two_digits(zone, 1)?) * HOUR_US + i64::from(two_digits(zone, 3)?) * MINUTE_US;
    match zone[0] {
        b'+' => Some(offset),
        b'-' => Some(-offset),
        _ => None,
    }
}

/// Times that name only `day:hour:minute:second` of some month (the EPA log of 1995).
///
/// The first month counts as January 1970, so day 30 is 1970-01-30. When the day falls by more than half a
/// month the next month has begun: its day 1 follows the last day that the log named, or the 31st where the
/// log stopped before the 28th. Smaller steps back are clock jitter.
#[derive(Clone, Debug, Default)]
struct DayClock {
    /// Day of the running month that the line before named, 0 before the first.
    day: i64,
    /// Days from 1970-01-01 to day 0 of the running month, minus one.
    month_start: i64,
    /// The same of the month before it, for late lines.
    previous_start: i64,
}

/// A day that differs by more than this many days belongs to another month.
const HALF_MONTH_DAYS: i64 = 15;

impl DayClock {
    fn read(&mut self, text: &[u8]) -> Option<i64> {
        let [_, _, b':', time @ ..] = text else {
            return None;
        };
        let day = i64::from(two_digits(text, 0)?);
        if !(1..=31).contains(&day) || time.len() != b"hh:mm:ss".len() {
            return None;
        }
        let since_midnight = time_of_day_us(time)?;
        Some((self.month_of(day) + day - 1) * DAY_US + since_midnight)
    }

    /// Days from 1970-01-01 to the first of the month that `day` lies in.
    fn month_of(&mut self, day: i64) -> i64 {
        if self.month_start > 0 && day - self.day > HALF_MONTH_DAYS {
            return self.previous_start;
        }
        if self.day - day > HALF_MONTH_DAYS {
            self.previous_start = self.month_start;
            self.month_start += if self.day >= 28 { self.day } else { 31 };
        }
        self.day = day;
        self.month_start
    }
}
