//! Requests over time.

use std::collections::BTreeMap;

use hotset_trace::Zone;
use serde::{Deserialize, Serialize};

const MINUTE_US: i64 = 60_000_000;
const MINUTES_PER_HOUR: i64 = 60;
const HOURS_PER_DAY: i64 = 24;

/// Requests in equal steps of time; steps without a request are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RateSeries {
    /// Start of each step, microseconds since 1970-01-01 UTC.
    pub start_us: Vec<i64>,
    /// Requests in each step.
    pub requests: Vec<u64>,
}

/// First and last time of a slice of a trace, microseconds since 1970-01-01 UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeSpan {
    /// Earliest.
    pub first_us: i64,
    /// Latest.
    pub last_us: i64,
}

impl TimeSpan {
    /// The span of both.
    pub fn union(self, other: Self) -> Self {
        Self {
            first_us: self.first_us.min(other.first_us),
            last_us: self.last_us.max(other.last_us),
        }
    }

    /// Length in seconds.
    pub fn seconds(self) -> f64 {
        (self.last_us as f64 - self.first_us as f64) / 1e6
    }
}

/// Requests by calendar minute.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct MinuteCounts(BTreeMap<i64, u64>);

impl MinuteCounts {
    pub(crate) fn add(&mut self, minute: i64, requests: u64) {
        let count = self.0.entry(minute).or_default();
        *count = count.saturating_add(requests);
    }

    pub(crate) fn merge(&mut self, other: &Self) {
        other
            .0
            .iter()
            .for_each(|(&minute, &requests)| self.add(minute, requests));
    }

    /// (minute, requests), rising.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (i64, u64)> {
        self.0.iter().map(|(&minute, &requests)| (minute, requests))
    }

    /// Requests of the busiest minute; 0 without requests.
    pub(crate) fn peak(&self) -> u64 {
        self.0.values().copied().max().unwrap_or(0)
    }

    /// On the clocks of `zone`.
    pub(crate) fn by_hour_of_day(&self, zone: &Zone) -> Vec<u64> {
        let mut hours = vec![0; HOURS_PER_DAY as usize];
        for (&minute, requests) in &self.0 {
            let hour = minute_on_clocks(minute, zone)
                .div_euclid(MINUTES_PER_HOUR)
                .rem_euclid(HOURS_PER_DAY);
            hours[hour as usize] += requests;
        }
        hours
    }

    pub(crate) fn per_minute(&self) -> RateSeries {
        self.series(|minute| minute)
    }

    /// By hours of the clocks of `zone`.
    pub(crate) fn per_hour(&self, zone: &Zone) -> RateSeries {
        self.series(|minute| minute - minute_on_clocks(minute, zone).rem_euclid(MINUTES_PER_HOUR))
    }

    /// In steps that begin at `start_of` the minutes in them.
    fn series(&self, start_of: impl Fn(i64) -> i64) -> RateSeries {
        let mut steps = BTreeMap::new();
        for (&minute, requests) in &self.0 {
            *steps.entry(start_of(minute)).or_insert(0) += requests;
        }
        RateSeries {
            start_us: steps
                .keys()
                .map(|start| start.saturating_mul(MINUTE_US))
                .collect(),
            requests: steps.into_values().collect(),
        }
    }
}

/// The calendar minute that the clocks of `zone` show in a minute of UTC.
fn minute_on_clocks(minute: i64, zone: &Zone) -> i64 {
    minute
        + zone
            .ahead_us(minute.saturating_mul(MINUTE_US))
            .div_euclid(MINUTE_US)
}

/// The calendar minute of a time.
pub(crate) fn minute_of(time_us: i64) -> i64 {
    time_us.div_euclid(MINUTE_US)
}
