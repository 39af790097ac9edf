//! The clock of a net: whole nanoseconds.

use std::fmt;
use std::ops::{Add, Sub};

/// A moment or a span of simulated time, in whole nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Time(u64);

impl Time {
    /// The start of every run, and no time at all.
    pub const ZERO: Time = Time(0);

    /// So many nanoseconds.
    #[must_use]
    pub const fn from_nanos(nanos: u64) -> Time {
        Time(nanos)
    }

    /// So many seconds, rounded to the nanosecond; nothing for what is negative, not a number or beyond the clock's
    /// 584 years.
    #[must_use]
    pub fn from_secs(seconds: f64) -> Option<Time> {
        let nanos = seconds * 1e9;
        // The comparison refuses NaN too.
        (nanos >= 0.0 && nanos < u64::MAX as f64).then_some(Time((nanos + 0.5) as u64))
    }

    /// In nanoseconds.
    #[must_use]
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// In seconds.
    #[must_use]
    pub fn secs(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl Add for Time {
    type Output = Time;

    fn add(self, span: Time) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl Sub for Time {
    type Output = Time;

    fn sub(self, earlier: Time) -> Time {
        Time(self.0.saturating_sub(earlier.0))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.secs())
    }
}
