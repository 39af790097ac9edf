//! What a cell's clients ask for.

use hotset_models::tiers::{File, Traffic};
use hotset_replay::Schedule;
use hotset_trace::Trace;
use hotset_workload::{GenerateError, Generator as _, Load, Zipf};

use super::section::Cell;
use crate::{Axis, Point};

/// Only the order counts where clients ask.
const ANY_RATE: f64 = 100.0;

/// Seed of the requests of a run, from that of the experiment.
pub(super) fn seed(seed: u64, point: &Point) -> u64 {
    let run: u64 = point.on(Axis::Run).parse().unwrap_or(1);
    seed.wrapping_add(run)
}

/// The files of a cell, and requests for them: first those that warm caches up, then those that count. `seed` decides on both.
///
/// # Errors
/// Parameters that allow no requests.
pub(super) fn trace(cell: &Cell, requests: u64, seed: u64) -> Result<Trace, GenerateError> {
    let load = Load::new(requests, cell.rate.unwrap_or(ANY_RATE));
    let working_set_bytes = cell.file_bytes.saturating_mul(u64::from(cell.files));
    Zipf::new(cell.alpha, cell.files, working_set_bytes, load).generate(seed)
}

/// How long a model waits between two requests that warm caches up where requests come at their times: longer than any takes.
const APART_NS: u64 = 10_000_000_000;

/// A trace as a model takes it: in its order, or at its times where it is `timed`. What is in memory after the first `warm_up` requests
/// depends on the requests, not on their times. None of them waits any more when those come that count.
pub(super) fn traffic(trace: &Trace, warm_up: usize, timed: bool) -> Traffic {
    let objects = trace.objects.site.iter().zip(&trace.objects.size);
    Traffic {
        sites: trace.sites.clone(),
        files: objects
            .map(|(&site, &bytes)| File { site, bytes })
            .collect(),
        requests: trace.requests.object.clone(),
        times_ns: match timed {
            true => times_ns(&trace.requests.time_us, warm_up),
            false => Vec::new(),
        },
        connections: Vec::new(),
        warm_up,
    }
}

/// When requests come, nanoseconds from the first. Those that count come as long after the last one before them as in the trace.
fn times_ns(times_us: &[i64], warm_up: usize) -> Vec<u64> {
    let last = warm_up.saturating_sub(1);
    let (since_us, since_ns) = match times_us.get(last) {
        Some(&time_us) => (time_us, last as u64 * APART_NS),
        None => (0, 0),
    };
    let apart = (0..warm_up as u64).map(|number| number * APART_NS);
    let counted = times_us.iter().skip(warm_up);
    apart
        .chain(counted.map(|&time_us| since_ns + time_us.abs_diff(since_us) * 1000))
        .collect()
}

/// Rows `from` to `to` of a trace, each on a connection of its own, at their times from the first of them on.
pub(super) fn schedule(trace: &Trace, from: usize, to: usize) -> Schedule {
    let (requests, objects) = (&trace.requests, &trace.objects);
    let first_us = requests.time_us.get(from).copied().unwrap_or_default();
    let rows = to.saturating_sub(from);
    Schedule {
        sites: trace.sites.clone(),
        targets: objects.path.iter().map(Into::into).collect(),
        posts_to: None,
        site: vec![0; rows],
        target: requests.object[from..to].to_vec(),
        connection: (0..rows as u32).collect(),
        start_us: requests.time_us[from..to]
            .iter()
            .map(|time_us| time_us - first_us)
            .collect(),
        offset_us: vec![0; rows],
        expected_bytes: requests.object[from..to]
            .iter()
            .map(|&object| objects.size[object as usize])
            .collect(),
    }
}
