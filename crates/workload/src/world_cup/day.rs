//! Days of the site, by their published rates.

use std::str::FromStr;

use super::table::{number, rows};
use crate::bisection::last_where;

const DAYS: &str = include_str!("days.csv");
/// Of 30 June.
const MINUTES: &str = include_str!("minutes.csv");
const MINUTES_OF_DAY: usize = 1440;
pub(super) const SECONDS_OF_DAY: i64 = 86_400;
/// 30 April 1998, the first day, seconds since 1970.
const FIRST_S: i64 = 893_894_400;
/// No day was as steep as the busiest one to this power.
const STEEPEST: f64 = 20.0;

/// A day from 30 April to 26 July 1998, GMT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldCupDay {
    /// Its number, from 0.
    number: usize,
    /// Requests of the day.
    pub requests: u64,
    /// Requests of its busiest minute.
    pub peak_minute: u64,
}

impl WorldCupDay {
    /// All days, with their names, such as `1998-06-30`.
    pub fn all() -> impl Iterator<Item = (&'static str, Self)> {
        rows(DAYS).enumerate().map(|(place, row)| {
            let day = Self {
                number: place,
                requests: number(&row, 1),
                peak_minute: number(&row, 2),
            };
            (row[0], day)
        })
    }

    /// When it begins, microseconds since 1970-01-01 UTC.
    #[must_use]
    pub fn start_us(&self) -> i64 {
        (FIRST_S + self.number as i64 * SECONDS_OF_DAY) * 1_000_000
    }

    /// Shares of its requests by minute.
    fn shares(&self) -> Vec<f64> {
        let busiest: Vec<f64> = rows(MINUTES).map(|row| number(&row, 1) as f64).collect();
        let most = busiest.iter().copied().fold(1.0, f64::max);
        let raised = |power: f64| -> Vec<f64> {
            let all = busiest.iter();
            all.map(|requests| (requests / most).powf(power)).collect()
        };
        // The busiest minute of a flat day has a part in as many as there are minutes, and of a steep one all.
        let peak_share = self.peak_minute as f64 / self.requests.max(1) as f64;
        let power = last_where(0.0..STEEPEST, 60, |power| {
            1.0 / raised(power).iter().sum::<f64>() <= peak_share
        });
        let raised = raised(power);
        let sum: f64 = raised.iter().sum();
        raised.into_iter().map(|part| part / sum).collect()
    }

    /// How many of so many requests each minute has. What is cut off a minute comes to the next one.
    pub(super) fn by_minute(&self, requests: f64) -> Vec<u64> {
        let mut due = 0.0;
        let mut given = 0;
        let shares = self.shares().into_iter();
        let counts = shares.map(|share| {
            due += share * requests;
            let count = (due.round() as u64).saturating_sub(given);
            given += count;
            count
        });
        counts.take(MINUTES_OF_DAY).collect()
    }
}

impl FromStr for WorldCupDay {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let mut days = Self::all();
        let known = days.find(|(known, _)| *known == name);
        known.map(|(_, day)| day).ok_or_else(|| {
            format!("{name:?} is no day of it: write one from 1998-04-30 to 1998-07-26")
        })
    }
}
