//! How often a scenario is simulated: until its throughput and its slow responses are known well enough.

use hotset_models::tiers::{BatchFigures, TiersResult, interval};
use hotset_outcome::Interval;
use rayon::prelude::*;

use crate::JobError;

/// Replications between two looks whether there are enough, which several processors make at a time.
const ROUND: u64 = 4;
/// No more than so many, however wide the intervals are.
const MOST: u64 = 20;
/// Half the width that an interval may have, as a share of its middle.
const PRECISION: f64 = 0.05;

/// What replications came to.
pub(super) struct Replicated {
    /// All of them as one.
    pub result: TiersResult,
    pub count: u32,
    /// 95 % intervals of requests answered in a second, and of the 95th percentile of the responses, microseconds.
    pub throughput: Option<Interval>,
    pub p95: Option<Interval>,
}

/// Has `once` simulate the replication of a number: as many as are `wanted`, or as it takes. How many processors there are changes
/// nothing.
///
/// # Errors
/// That of the first replication that has one.
pub(super) fn replicate(
    wanted: Option<u32>,
    is_random: bool,
    once: impl Fn(u64) -> Result<TiersResult, JobError> + Sync,
) -> Result<Replicated, JobError> {
    let (round, most) = match wanted {
        Some(wanted) => (u64::from(wanted.max(1)), u64::from(wanted.max(1))),
        None if is_random => (ROUND, MOST),
        None => (1, 1),
    };
    let mut runs: Vec<TiersResult> = Vec::new();
    // More runs make these narrow, and no others.
    let mut intervals: [Option<Interval>; 2] = [None, None];
    while (runs.len() as u64) < most && !intervals.iter().all(|it| it.is_some_and(is_narrow)) {
        let first = runs.len() as u64;
        let numbers = first..most.min(first + round);
        let more: Vec<Result<TiersResult, JobError>> = numbers.into_par_iter().map(&once).collect();
        for run in more {
            runs.push(run?);
        }
        intervals = [throughput_per_s, p95_us].map(|of| interval(&figures(&runs, of), &[]));
    }
    let count = runs.len() as u32;
    let throughput = known(&runs, throughput_per_s, |it| it.gap_us);
    let p95 = known(&runs, p95_us, |it| it.p95_us);
    // There is at least one.
    let result = TiersResult::pooled(runs).unwrap_or_else(|| unreachable!("a round has a run"));
    Ok(Replicated {
        throughput: around(throughput_per_s(&result), throughput),
        p95: around(p95_us(&result), p95),
        result,
        count,
    })
}

/// An interval of a figure of all runs as one. It is made of figures of runs, whose mean is another where runs have few requests: where the figure lies
/// outside, nothing is known of how far off it is.
fn around(figure: Option<f64>, interval: Option<Interval>) -> Option<Interval> {
    interval.filter(|it| figure.is_some_and(|figure| it.contains(figure)))
}

fn is_narrow(Interval { low, high, .. }: Interval) -> bool {
    let (middle, half_width) = ((high + low) / 2.0, (high - low) / 2.0);
    half_width <= PRECISION * middle
}

/// A figure of all runs, and a figure that varies as much of each of their batches of requests.
fn known(
    runs: &[TiersResult],
    figure: fn(&TiersResult) -> Option<f64>,
    of_batch: fn(&BatchFigures) -> f64,
) -> Option<Interval> {
    let batches = runs.iter().map(|run| run.batches.iter().map(of_batch));
    let batches: Vec<Vec<f64>> = batches.map(Iterator::collect).collect();
    interval(&figures(runs, figure), &batches)
}

fn figures(runs: &[TiersResult], figure: fn(&TiersResult) -> Option<f64>) -> Vec<f64> {
    runs.iter().filter_map(figure).collect()
}

fn throughput_per_s(run: &TiersResult) -> Option<f64> {
    run.total.throughput_per_s
}

fn p95_us(run: &TiersResult) -> Option<f64> {
    run.total.latencies.response.as_ref()?.p95_us
}
