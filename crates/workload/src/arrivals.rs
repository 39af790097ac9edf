//! When requests arrive and who sends them.

use rand::RngExt;
use rand_distr::{Distribution, Exp};
use rand_pcg::Pcg64Mcg;

use crate::load::Load;

const MICROSECONDS: f64 = 1e6;
/// Mean number of requests in a visit.
const VISIT_REQUESTS: f64 = 10.0;
/// Mean seconds between the requests of a visit; far below the 15 seconds that end a connection.
const VISIT_GAP_S: f64 = 3.0;
/// Clients to whom visits belong.
pub(crate) const CLIENTS: u32 = 20_000;

/// A Poisson process whose arrivals are dealt to visits in progress.
pub(crate) struct Arrivals {
    time_us: f64,
    gap_s: Option<Exp<f64>>,
    visits: Vec<Visit>,
}

#[derive(Clone, Copy, Default)]
struct Visit {
    client: u32,
    requests_left: u32,
}

impl Arrivals {
    pub(crate) fn new(load: Load) -> Self {
        let visits = (load.rate_per_second * VISIT_GAP_S).clamp(1.0, f64::from(CLIENTS) / 2.0);
        Self {
            time_us: load.start_us as f64,
            gap_s: Exp::new(load.rate_per_second).ok(),
            visits: vec![Visit::default(); visits as usize],
        }
    }

    /// Time in microseconds since 1970-01-01 UTC, and client, of the next request.
    pub(crate) fn next(&mut self, random: &mut Pcg64Mcg) -> (i64, u32) {
        // `Load::check` has refused every rate for which there is no distribution.
        self.time_us += self.gap_s.map_or(0.0, |gap| gap.sample(random)) * MICROSECONDS;
        let index = random.random_range(0..self.visits.len());
        let visit = &mut self.visits[index];
        if visit.requests_left == 0 {
            visit.client = random.random_range(0..CLIENTS);
            visit.requests_left = geometric(VISIT_REQUESTS, random);
        }
        visit.requests_left -= 1;
        (self.time_us as i64, visit.client)
    }
}

/// A geometric number of mean `mean` that is at least 1.
fn geometric(mean: f64, random: &mut Pcg64Mcg) -> u32 {
    geometric_quantile(mean, random.random())
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
