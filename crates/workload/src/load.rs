//! How many requests arrive, how fast and from when on.

use crate::error::{GenerateError, require};

/// Number of requests, their rate and when the first may arrive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load {
    /// Number of requests, at most 2^32 - 1.
    pub requests: u64,
    /// Mean arrivals a second; arrivals are a Poisson process.
    pub rate_per_second: f64,
    /// Start of the trace, microseconds since 1970-01-01 UTC.
    pub start_us: i64,
}

impl Load {
    /// `requests` arriving at `rate_per_second` from 2001-01-01 00:00 UTC.
    pub fn new(requests: u64, rate_per_second: f64) -> Self {
        Self {
            requests,
            rate_per_second,
            start_us: 978_307_200_000_000,
        }
    }

    /// Refuses loads that no trace can hold.
    pub(crate) fn check(&self) -> Result<(), GenerateError> {
        let finite = self.rate_per_second.is_finite() && self.rate_per_second > 0.0;
        require(
            finite,
            "rate",
            self.rate_per_second,
            "more than 0 requests/s",
        )?;
        let countable = self.requests < u64::from(u32::MAX);
        require(countable, "requests", self.requests, "below 2^32 - 1")?;
        let seconds = self.requests as f64 / self.rate_per_second;
        require(
            seconds < LONGEST_S,
            "rate",
            self.rate_per_second,
            "enough to end within 1000 years",
        )
    }
}

/// A bound that keeps times far from overflow.
const LONGEST_S: f64 = 1000.0 * 365.25 * 86_400.0;
