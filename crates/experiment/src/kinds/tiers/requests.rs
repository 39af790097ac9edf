//! What a cell's clients ask for.

use hotset_replay::Schedule;
use hotset_trace::Trace;
use hotset_workload::{GenerateError, Generator as _, Load, Zipf};

use super::section::Cell;

/// Only the order counts where clients ask.
const ANY_RATE: f64 = 100.0;

/// The files of a cell, and requests for them: first those that warm caches up, then those that count. `files_seed` decides on the
/// files, `seed` on the requests.
///
/// # Errors
/// Parameters that allow no requests.
pub(super) fn trace(cell: &Cell, requests: u64, seed: u64) -> Result<Trace, GenerateError> {
    let load = Load::new(requests, cell.rate.unwrap_or(ANY_RATE));
    let working_set_bytes = cell.file_bytes.saturating_mul(u64::from(cell.files));
    Zipf::new(cell.alpha, cell.files, working_set_bytes, load).generate(seed)
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
