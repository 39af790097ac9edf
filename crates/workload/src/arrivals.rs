//! When requests arrive and who sends them.

use std::collections::VecDeque;
use std::ops::RangeInclusive;

use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Exp};
use rand_pcg::Pcg64Mcg;

use crate::load::Load;

const MICROSECONDS: f64 = 1e6;
/// Requests of a visit, each number as likely: `MIN_REQUESTS_PER_KEEP_ALIVE` and `MAX_REQUESTS_PER_KEEP_ALIVE` of SPECweb99. Their mean
/// lies between those of the two web servers of "A Study of the Performance of Diskless Web Servers" (table 1), 8.5 and 12.
const VISIT_REQUESTS: RangeInclusive<u32> = 5..=15;
/// Mean seconds between two requests of a visit: that of the time between the parts of a page, which is Weibull of shape 1.46 and scale
/// 0.382 s (Barford, Crovella: "Generating representative Web workloads for network and server performance evaluation", 1998). It is
/// far below the 15 seconds that end a connection, and visits are short enough for many of them to follow one another in a short trace.
const VISIT_GAP_S: f64 = 0.346;
/// Clients to whom visits belong.
pub(crate) const CLIENTS: u32 = 20_000;
/// Visits that are in progress at most, however high the rate.
const MOST_VISITS: usize = CLIENTS as usize / 2;

/// A Poisson process whose arrivals are dealt to visits in progress.
pub(crate) struct Arrivals {
    time_us: f64,
    gap_s: Option<Exp<f64>>,
    passed_over: PassedOver,
    visits: Visits,
}

impl Arrivals {
    pub(crate) fn new(load: Load, seed: u64) -> Self {
        Self {
            time_us: load.start_us as f64,
            gap_s: Exp::new(load.rate_per_second).ok(),
            passed_over: PassedOver::new(load),
            visits: Visits::new(load, seed),
        }
    }

    /// Time in microseconds since 1970-01-01 UTC, and client, of the next request.
    pub(crate) fn next(&mut self, random: &mut Pcg64Mcg) -> (i64, u32) {
        // `Load::check` has refused every rate for which there is no distribution.
        self.time_us += self.gap_s.map_or(0.0, |gap| gap.sample(random)) * MICROSECONDS;
        self.passed_over.draw(random);
        (self.time_us as i64, self.visits.next())
    }
}

/// Visits in progress, and clients who make none; those that have waited longest first.
struct Visits {
    open: VecDeque<Visit>,
    most: usize,
    away: VecDeque<u32>,
    random: Pcg64Mcg,
}

#[derive(Clone, Copy)]
struct Visit {
    client: u32,
    requests_left: u32,
}

impl Visits {
    fn new(load: Load, seed: u64) -> Self {
        Self {
            open: VecDeque::new(),
            most: in_progress(load, VISIT_GAP_S),
            away: (0..CLIENTS).collect(),
            random: Pcg64Mcg::seed_from_u64(seed ^ VISITS),
        }
    }

    /// The client of the next request.
    fn next(&mut self) -> u32 {
        // Any of the longer waiting half: no two visits keep in step.
        let index = self.random.random_range(0..self.most.div_ceil(2));
        let waiting = (self.open.len() == self.most).then(|| self.open.remove(index));
        let mut visit = waiting.flatten().unwrap_or_else(|| self.begin());
        visit.requests_left -= 1;
        match visit.requests_left {
            0 => self.away.push_back(visit.client),
            _ => self.open.push_back(visit),
        }
        visit.client
    }

    /// A visit of somebody who has been away longer than half of all clients: visits of one client that follow one another at once
    /// would be one long connection.
    fn begin(&mut self) -> Visit {
        let index = self.random.random_range(0..MOST_VISITS);
        Visit {
            // At most the other half is on a visit.
            client: self.away.remove(index).unwrap_or(0),
            requests_left: self.random.random_range(VISIT_REQUESTS),
        }
    }
}

/// Visits in progress at a time whose requests come `gap_s` seconds after one another.
fn in_progress(load: Load, gap_s: f64) -> usize {
    (load.rate_per_second * gap_s).clamp(1.0, MOST_VISITS as f64) as usize
}

/// Keeps the stream that makes visits apart from the stream that draws times and files.
const VISITS: u64 = 0x5649_5349_5453;

/// Numbers that are drawn and used for nothing. Visits once came out of the same stream as times and files. Kept measurements rest on the
/// times and files of their seeds, which must stay what they were.
struct PassedOver {
    requests_left: Vec<u32>,
}

impl PassedOver {
    const REQUESTS: f64 = 10.0;
    const GAP_S: f64 = 3.0;

    fn new(load: Load) -> Self {
        Self {
            requests_left: vec![0; in_progress(load, Self::GAP_S)],
        }
    }

    fn draw(&mut self, random: &mut Pcg64Mcg) {
        let index = random.random_range(0..self.requests_left.len());
        let left = &mut self.requests_left[index];
        if *left == 0 {
            let _ = random.random_range(0..CLIENTS);
            *left = geometric_quantile(Self::REQUESTS, random.random());
        }
        *left -= 1;
    }
}

/// Quantile `uniform`, at least 0 and below 1, of the geometric distribution of mean `mean` on 1, 2, …
pub(crate) fn geometric_quantile(mean: f64, uniform: f64) -> u32 {
    if mean <= 1.0 {
        return 1;
    }
    ((1.0 - uniform).ln() / (1.0 - 1.0 / mean).ln())
        .ceil()
        .max(1.0) as u32
}
