//! When what is held is chosen anew.

use serde::{Deserialize, Serialize};

use super::exact;

/// How long what is held stays as it is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Period {
    /// For so many accesses, at least one.
    Accesses(u64),
    /// For so many microseconds, more than none: a renewal is due when the time since the first access passes another
    /// multiple of it. Times may step back.
    Microseconds(#[serde(with = "exact")] f64),
}

/// Time in periods.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Clock {
    period: Period,
    /// Time of the first access.
    first_us: Option<i64>,
    /// Accesses since the last renewal.
    accesses: u64,
    /// Periods until the last renewal.
    now: f64,
}

impl Clock {
    pub fn new(period: Period) -> Self {
        Self {
            period,
            first_us: None,
            accesses: 0,
            now: 0.0,
        }
    }

    /// The time in periods if a renewal is due before an access at `time_us`.
    #[inline]
    pub fn due(&self, time_us: i64) -> Option<f64> {
        match self.period {
            Period::Accesses(every) => (self.accesses >= every).then_some(self.now + 1.0),
            Period::Microseconds(every) => {
                let now = ((time_us as f64 - self.first_us? as f64) / every).floor();
                (now > self.now).then_some(now)
            }
        }
    }

    /// Counts an access at `time_us`.
    #[inline]
    pub fn tick(&mut self, time_us: i64) {
        self.first_us.get_or_insert(time_us);
        self.accesses += 1;
    }

    /// Starts the next period at `now`.
    pub fn renew(&mut self, now: f64) {
        self.accesses = 0;
        self.now = now;
    }

    /// Whether it can go on.
    pub fn is_sound(&self) -> bool {
        let period = match self.period {
            Period::Accesses(every) => every > 0,
            Period::Microseconds(every) => every.is_finite() && every > 0.0,
        };
        period && self.now.is_finite() && self.now >= 0.0
    }
}
