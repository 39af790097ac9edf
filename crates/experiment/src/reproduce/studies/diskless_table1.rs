//! C table 1: the production workloads, and twins of them.

use std::cmp::Reverse;
use std::collections::HashMap;

use hotset_trace::Trace;
use hotset_trace::sessions::sessions;
use hotset_workload::twins::SHARES;
use hotset_workload::{Generator as _, Twin};

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::Sources;

/// The workloads of one day.
pub(super) struct Table1;

/// Share of the day that twins are made of: half an hour. They have the day's rates, and everything else in proportion.
const SCALE: f64 = 0.02;
const DAY_MINUTES: f64 = 1440.0;
const SEED: u64 = 1;
const MB: f64 = 1e6;
/// Rows of the table.
const ROWS: usize = 10;

impl DocumentStudy for Table1 {
    fn name(&self) -> &'static str {
        "diskless-table1"
    }

    fn title(&self) -> &'static str {
        "The workloads of one day: Olympics, NYSE and a proxy"
    }

    fn section(&self) -> &'static str {
        "C table 1"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Simulated is what a twin of half an hour measures, times the day where a row grows with time; `hotset generate twin` makes longer ones",
            "The logs themselves are not public. Twins are made to meet the table, so it is an input and has no errors",
        ]
    }

    fn cells(&self, _sources: &Sources) -> Vec<ReproducedCell> {
        let table = PublishedTable::of(include_str!("../published/diskless-table1.csv"));
        let mut twins: HashMap<&str, Option<[f64; ROWS]>> = HashMap::new();
        let mut cells = Vec::new();
        for (number, row) in table.rows().enumerate() {
            for (workload, published) in row.figures(1) {
                let twin = twins.entry(workload).or_insert_with(|| twin(workload));
                let simulated = twin.and_then(|rows| rows.get(number).copied());
                let cell = ReproducedCell::new(row.name(), workload, Some(published));
                cells.push(cell.simulated(simulated).into_input());
            }
        }
        cells
    }

    fn claims(&self, _cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        Vec::new()
    }
}

/// What a twin of the workload of this name measures, in the order of the table's rows; nothing of a workload that has no twin.
fn twin(workload: &str) -> Option<[f64; ROWS]> {
    let twin = Twin {
        workload: workload.parse().ok()?,
        scale: SCALE,
    };
    let trace = twin.generate(SEED).ok()?;
    Some(measured(&trace, f64::from(twin.minutes())))
}

/// What a trace of so many minutes measures, and what it would come to in a day.
fn measured(trace: &Trace, minutes: f64) -> [f64; ROWS] {
    let days = minutes / DAY_MINUTES;
    let mut counts = vec![0; trace.objects.len()];
    for object in &trace.requests.object {
        counts[*object as usize] += 1;
    }
    let used = counts.iter().filter(|count| **count > 0).count();
    let requests = trace.requests.len() as f64;
    let file_bytes = trace.objects.size.iter().sum::<u64>() as f64;
    let bytes = trace.requests.bytes.iter().sum::<u64>() as f64;
    let [most, more, nearly_all] =
        SHARES.map(|share| bytes_for_share(share, &counts, &trace.objects.size) / MB / days);
    [
        requests / minutes / 60.0,
        busiest_minute(trace) / 60.0,
        sessions(&trace.requests, SEED).requests_per_connection(),
        used as f64 / days,
        file_bytes / MB / days,
        requests / days,
        bytes / MB / days,
        most,
        more,
        nearly_all,
    ]
}

/// Requests of the busiest minute.
fn busiest_minute(trace: &Trace) -> f64 {
    const MINUTE_US: i64 = 60_000_000;
    let mut minutes: HashMap<i64, u64> = HashMap::new();
    for time in &trace.requests.time_us {
        *minutes.entry(time.div_euclid(MINUTE_US)).or_default() += 1;
    }
    minutes.values().copied().max().unwrap_or(0) as f64
}

/// Bytes of the most popular files, by falling count, then rising size, until they carry a share of the requests.
fn bytes_for_share(share: f64, counts: &[u64], sizes: &[u64]) -> f64 {
    let mut files: Vec<(u64, u64)> = counts.iter().copied().zip(sizes.iter().copied()).collect();
    files.sort_unstable_by_key(|(count, size)| (Reverse(*count), *size));
    let total: u64 = counts.iter().sum();
    let (mut carried, mut bytes) = (0, 0);
    for (count, size) in files {
        if carried as f64 >= share * total as f64 {
            break;
        }
        carried += count;
        bytes += size;
    }
    bytes as f64
}
