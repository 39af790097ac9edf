//! A day of the web site of the 1998 World Cup, by its published rates.
//!
//! How many requests each day had, and each minute of the busiest day, was counted in the site's public logs (`world_cup/days.csv` and `minutes.csv` say by
//! whom). Sizes, types and popularity of its files are in M. Arlitt, T. Jin: "A workload characterization study of the 1998 World Cup Web site", IEEE Network
//! 14(3), 2000. None of them is built in: whoever makes a day says what its files are like.

use std::str::FromStr;

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::arrivals::{Arrivals, CLIENTS};
use crate::bisection::last_where;
use crate::error::{GenerateError, require};
use crate::generator::Generator;
use crate::load::Load;
use crate::single_site::{addresses, check_bytes, numbered_files, request, whole_file};
use crate::zipf::Zipf;
use hotset_trace::{Requests, Trace};

const DAYS: &str = include_str!("world_cup/days.csv");
/// Of 30 June.
const MINUTES: &str = include_str!("world_cup/minutes.csv");
const MINUTES_OF_DAY: usize = 1440;
const SECONDS_OF_DAY: i64 = 86_400;
const MINUTE_US: i64 = 60_000_000;
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

/// A day of the site. Of 30 June all minutes have their share of the requests. Other days have its shape, as steep as their busiest minute says: assumed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorldCup {
    /// Which day.
    pub day: WorldCupDay,
    /// Share of each minute's requests, above 0 and at most 1.
    pub scale: f64,
    /// Its files and their popularity. How many requests arrive how fast is the day's.
    pub files: Zipf,
}

/// Rows of a table without its remarks and headers.
fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    lines.skip(1).map(|line| line.split(',').collect())
}

/// A whole number of a row; 0 where there is none.
fn number(row: &[&str], column: usize) -> u64 {
    let value = row.get(column).and_then(|value| value.parse().ok());
    value.unwrap_or_default()
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
    fn by_minute(&self, requests: f64) -> Vec<u64> {
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

impl WorldCup {
    /// How many requests there are.
    #[must_use]
    pub fn requests(&self) -> u64 {
        (self.day.requests as f64 * self.scale).round() as u64
    }
}

impl Generator for WorldCup {
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError> {
        require(
            self.scale > 0.0 && self.scale <= 1.0 && self.requests() > 0,
            "scale",
            self.scale,
            "above 0 and at most 1, and leave a request",
        )?;
        let sizes = self.files.sizes(seed)?;
        let rank = self.files.ranks()?;
        let objects = numbered_files(sizes.clone());
        let load = Load {
            requests: self.requests(),
            rate_per_second: self.requests() as f64 / SECONDS_OF_DAY as f64,
            start_us: self.day.start_us(),
        };
        load.check()?;
        check_bytes(&objects, load.requests)?;
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        // Of these only who asks is taken.
        let mut visits = Arrivals::new(load, seed);
        let mut requests = Requests::default();
        let by_minute = self.day.by_minute(self.requests() as f64);
        for (minute, count) in by_minute.into_iter().enumerate() {
            let start_us = load.start_us + minute as i64 * MINUTE_US;
            let mut times: Vec<i64> = (0..count)
                .map(|_| start_us + random.random_range(0..MINUTE_US))
                .collect();
            times.sort_unstable();
            for time_us in times {
                let (_, client) = visits.next(&mut random);
                let asked = whole_file(rank(&mut random), &sizes);
                requests.push(request(time_us, client, asked));
            }
        }
        Ok(Trace {
            sites: vec!["world-cup".to_owned()],
            clients: addresses(CLIENTS),
            objects,
            requests,
            ..Trace::default()
        })
    }
}
