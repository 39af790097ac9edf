//! What the monitors of one run say, span after span.

use hdrhistogram::Histogram;

use std::time::{Duration, Instant};

use super::watcher::Watcher;
use crate::error::RunError;
use crate::run::Simulation;
use crate::time::Time;

/// What one run gave.
pub(super) struct Series {
    /// Means by monitor, a row for each span of time; nothing for a monitor that saw nothing.
    pub rows: Vec<Vec<Option<f64>>>,
    /// Firings or values by monitor; nothing for averages over time.
    pub counts: Vec<Option<u64>>,
    /// Times by monitor, in nanoseconds, until [`add_times`] takes them.
    pub histograms: Vec<Option<Histogram<u64>>>,
    /// Firings of the whole run.
    pub firings: u64,
}

/// What several runs gave.
pub(super) struct Runs {
    /// What each gave, but for its times.
    pub each: Vec<Series>,
    /// Times of all by monitor, in nanoseconds.
    pub histograms: Vec<Option<Histogram<u64>>>,
}

/// Adds the times of a run to those of the runs before it, and leaves it none: each histogram may be as large as that of all.
pub(super) fn add_times(sums: &mut Vec<Option<Histogram<u64>>>, run: &mut Series) {
    let own = std::mem::take(&mut run.histograms);
    if sums.is_empty() {
        *sums = own;
        return;
    }
    for (sum, own) in sums.iter_mut().flatten().zip(own.iter().flatten()) {
        *sum += own;
    }
}

/// Spans of equal length.
pub(super) struct Spans {
    /// When the first begins.
    pub from: Time,
    /// How long they are together.
    pub length: Time,
    /// How many they are.
    pub count: u64,
}

/// After so many parts of a run its watcher is told how far it is.
const PARTS: u64 = 100;

/// A run asks its watcher whether to stop about as often.
const PATIENCE: Duration = Duration::from_millis(50);

/// Runs a net until a time; not, if its watcher stops it before. That is asked again each time `stride_ns` of simulated time have
/// passed: how long that takes depends on the net alone.
fn advance(
    run: &mut Simulation<'_>,
    end: Time,
    stride_ns: &mut u64,
    watcher: &dyn Watcher,
) -> Result<bool, RunError> {
    while !watcher.is_stopped() {
        let next_ns = run.now().nanos().saturating_add(*stride_ns);
        let next = end.min(Time::from_nanos(next_ns));
        let began = Instant::now();
        run.run_until(next)?;
        if next == end {
            return Ok(true);
        }
        *stride_ns = match began.elapsed() < PATIENCE {
            true => stride_ns.saturating_mul(2),
            false => (*stride_ns / 2).max(1),
        };
    }
    Ok(false)
}

/// Runs a net over the spans. A run that is stopped gives what it saw until then; one that is stopped before it saw anything
/// gives nothing.
pub(super) fn run(
    mut run: Simulation<'_>,
    spans: &Spans,
    watcher: &dyn Watcher,
) -> Result<Option<Series>, RunError> {
    let parts = PARTS.div_ceil(spans.count);
    let all = spans.count * parts;
    let at = |part: u64| {
        let share = u128::from(spans.length.nanos()) * u128::from(part) / u128::from(all);
        spans.from + Time::from_nanos(share as u64)
    };
    let mut stride_ns = 1;
    if !advance(&mut run, spans.from, &mut stride_ns, watcher)? {
        return Ok(None);
    }
    run.reset_monitors();
    let mut rows = Vec::new();
    for part in 1..=all {
        if !advance(&mut run, at(part), &mut stride_ns, watcher)? {
            // What the span has so far is the last row.
            let in_span = (part - 1) % parts > 0;
            rows.extend(in_span.then(|| run.cut()));
            break;
        }
        if part % parts == 0 {
            rows.push(run.cut());
        }
        watcher.advance_by(1.0 / all as f64);
    }
    let histograms = run.histograms().into_iter();
    Ok((!rows.is_empty()).then(|| Series {
        counts: run.counts(),
        histograms: histograms.map(|it| it.cloned()).collect(),
        firings: run.firings(),
        rows,
    }))
}
