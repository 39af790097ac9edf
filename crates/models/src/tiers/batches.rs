//! How sure means are: of several runs, and of batches of requests that are answered one after the other.

use hdrhistogram::Histogram;
use hotset_outcome::{Distribution, Interval, add_to_histogram, empty_histogram};
use hotset_petri::{Time, batch_means, mean_and_half_width};

/// Coverage of intervals.
const LEVEL: f64 = 0.95;
/// No more batches than this: then each two become one.
const MOST_BATCHES: usize = 64;
/// Requests of a batch at first.
const FIRST_REQUESTS: u64 = 16;

/// What the requests of a batch came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BatchFigures {
    /// Mean time between two answers, microseconds.
    pub gap_us: f64,
    /// The 95th percentile of the responses, microseconds.
    pub p95_us: f64,
}

/// Requests in batches of the same number, in the order of their answers.
pub(super) struct Batches {
    /// Requests of a whole batch.
    requests: u64,
    batches: Vec<Batch>,
}

struct Batch {
    requests: u64,
    /// When the last of them was answered, since measuring began.
    ends: Time,
    responses_us: Histogram<u64>,
}

impl Default for Batches {
    fn default() -> Self {
        Self {
            requests: FIRST_REQUESTS,
            batches: Vec::new(),
        }
    }
}

impl Batches {
    /// A request was answered so long after measuring began.
    pub fn answer(&mut self, since: Time, us: f64) {
        let is_whole = |it: &Batch| it.requests >= self.requests;
        if self.batches.last().is_none_or(is_whole) {
            self.begin();
        }
        if let Some(batch) = self.batches.last_mut() {
            batch.requests += 1;
            batch.ends = since;
            add_to_histogram(&mut batch.responses_us, us.round() as u64);
        }
    }

    fn begin(&mut self) {
        if self.batches.len() == MOST_BATCHES {
            self.join_pairs();
        }
        self.batches.push(Batch {
            requests: 0,
            ends: Time::ZERO,
            responses_us: empty_histogram(),
        });
    }

    fn join_pairs(&mut self) {
        let mut batches = std::mem::take(&mut self.batches).into_iter();
        while let (Some(mut batch), Some(next)) = (batches.next(), batches.next()) {
            batch.requests += next.requests;
            batch.ends = next.ends;
            batch.responses_us += &next.responses_us;
            self.batches.push(batch);
        }
        self.requests *= 2;
    }

    /// What each whole batch came to.
    pub fn figures(&self) -> Vec<BatchFigures> {
        let whole = self.batches.iter();
        let whole = whole.filter(|it| it.requests == self.requests);
        let figures = whole.scan(Time::ZERO, |began, it| {
            let took = it.ends - std::mem::replace(began, it.ends);
            Some(BatchFigures {
                gap_us: took.nanos() as f64 / 1e3 / it.requests as f64,
                p95_us: it.responses_us.value_at_quantile(0.95) as f64,
            })
        });
        figures.collect()
    }
}

/// The mean time of each of as many batches of requests, in their order, as a distribution tells of.
pub(super) fn mean_by_batch(times: &Distribution) -> Vec<f64> {
    let series = times.series.as_ref();
    let batches = series.map_or_else(Vec::new, |it| it.runs(MOST_BATCHES));
    // The last one may be shorter.
    let whole = batches.first().map_or(0.0, |it| it.0);
    let batches = batches.into_iter().filter(|it| it.0 >= whole);
    batches.map(|it| it.1).collect()
}

/// The 95 % interval of the mean of what each of several runs says, of the same requests. `batches` has the same figure, or one that varies as
/// much, of each batch of requests of each run; it may have none.
///
/// How far runs are apart says only what their seeds do. The requests are the same in all of them. What others like them would do shows in how
/// far batches are apart, of which the mean over the runs is taken. The interval is that of the two that is wider. Nothing where neither is known.
/// Nothing here is below zero.
#[must_use]
pub fn interval(runs: &[f64], batches: &[Vec<f64>]) -> Option<Interval> {
    let least = batches.iter().map(Vec::len).min().unwrap_or(0);
    let count = batches.len() as f64;
    let over_runs = |at: usize| batches.iter().map(|run| run[at]).sum::<f64>() / count;
    let over_runs: Vec<f64> = (0..least).map(over_runs).collect();
    let share = |(mean, half_width): (f64, f64)| match mean > 0.0 {
        true => half_width / mean,
        false => 0.0,
    };
    let known = [mean_and_half_width(runs), batch_means(&over_runs)];
    let shares = known.into_iter().flatten().map(share);
    let mean = runs.iter().sum::<f64>() / runs.len().max(1) as f64;
    let half_width = mean * shares.reduce(f64::max)?;
    Some(Interval {
        low: (mean - half_width).max(0.0),
        high: mean + half_width,
        level: LEVEL,
    })
}
