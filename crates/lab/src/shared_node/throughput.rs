//! Several clients of each site at once: what the foreground gets done.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use hotset_outcome::{Distribution, Latencies, Outcome, Provenance, Score};

use super::stage::Stage;
use crate::LabError;
use crate::control::{Control, go_on};
use crate::probe::Probe;
use crate::result::{Counts, Throughput};
use crate::workload::SITES;

/// Significant digits of the times: within 1 %, less than two runs differ, in a tenth of the room that three take.
const DIGITS: u8 = 2;

/// What one client saw.
struct Seen {
    requests: u64,
    bytes: u64,
    total_us: Histogram<u64>,
    first_byte_us: Histogram<u64>,
}

impl Seen {
    fn new() -> Result<Self, LabError> {
        let histogram = || {
            Histogram::new(DIGITS)
                .map_err(|error| LabError::Unusable(format!("no histogram: {error}")))
        };
        Ok(Self {
            requests: 0,
            bytes: 0,
            total_us: histogram()?,
            first_byte_us: histogram()?,
        })
    }

    fn add(&mut self, other: &Self) {
        self.requests += other.requests;
        self.bytes += other.bytes;
        // Both grow as needed: adding cannot fail.
        let _added = self.total_us.add(&other.total_us);
        let _added = self.first_byte_us.add(&other.first_byte_us);
    }

    fn score(&self, seconds: f64) -> Score {
        Score {
            requests: Some(self.requests),
            bytes: Some(self.bytes),
            throughput_per_s: Some(self.requests as f64 / seconds),
            latencies: Latencies {
                total: Some(Distribution::of(&self.total_us)),
                first_byte: Some(Distribution::of(&self.first_byte_us)),
                ..Latencies::default()
            },
            ..Score::default()
        }
    }
}

/// Measures for `seconds`: the clients of a site share a cursor over its held-out requests and begin again at their end.
pub(super) fn measure(
    stage: &Stage,
    clients: usize,
    seconds: u64,
    name: &str,
    provenance: Provenance,
    control: &dyn Control,
) -> Result<(Throughput, Outcome), LabError> {
    let sites = if stage.alone { 1 } else { 2 };
    let rows: Vec<Vec<u32>> = (0..sites)
        .map(|site| {
            let held_out = stage.workload.held_out().iter();
            held_out
                .copied()
                .filter(|&object| stage.workload.site(object) == site)
                .collect()
        })
        .collect();
    let cursors = [AtomicUsize::new(0), AtomicUsize::new(0)];
    let (disk, cpu) = (stage.bench.disk()?.counters()?, stage.server_cpu_us()?);
    let link = stage.bench.namespace().counters()?;
    let start = Instant::now();
    let end = start + Duration::from_secs(seconds);
    let seen: Vec<Result<Seen, LabError>> = thread::scope(|scope| {
        let client = |site: usize| {
            let (rows, cursor) = (&rows[site], &cursors[site]);
            scope.spawn(move || client(stage, site, rows, cursor, end, control))
        };
        let all: Vec<_> = (0..sites * clients)
            .map(|index| client(index % sites))
            .collect();
        all.into_iter()
            .map(|client| {
                client
                    .join()
                    .unwrap_or_else(|_| Err(LabError::Unusable("a client broke".to_owned())))
            })
            .collect()
    });
    let elapsed = start.elapsed().as_secs_f64();
    let mut by_site = [Seen::new()?, Seen::new()?];
    for (index, seen) in seen.into_iter().enumerate() {
        by_site[index % sites].add(&seen?);
    }
    let mut all = Seen::new()?;
    by_site.iter().for_each(|site| all.add(site));
    let after = stage.bench.disk()?.counters()?;
    let counts = Counts {
        seconds: elapsed,
        requests: all.requests,
        bytes: all.bytes,
        disk_reads: after.reads - disk.reads,
        disk_read_bytes: after.read_bytes - disk.read_bytes,
        server_cpu_us: stage.server_cpu_us()? - cpu,
        ..Counts::default()
    };
    let mut outcome = Outcome::new(
        format!("{name}, throughput"),
        provenance,
        all.score(elapsed),
    );
    for (site, seen) in SITES.iter().zip(&by_site).take(sites) {
        outcome = outcome.with_site(*site, seen.score(elapsed));
    }
    let throughput = Throughput {
        clients,
        counts: counts.with_link(link, stage.bench.namespace().counters()?),
        foreground_per_s: by_site[0].requests as f64 / elapsed,
        background_per_s: by_site[1].requests as f64 / elapsed,
    };
    Ok((throughput, outcome))
}

fn client(
    stage: &Stage,
    site: usize,
    rows: &[u32],
    cursor: &AtomicUsize,
    end: Instant,
    control: &dyn Control,
) -> Result<Seen, LabError> {
    let mut probe = Probe::connect(stage.addresses[site], SITES[site])?;
    let mut seen = Seen::new()?;
    while Instant::now() < end && !rows.is_empty() {
        go_on(control)?;
        let row = cursor.fetch_add(1, Ordering::Relaxed) % rows.len();
        let took = probe.get(&stage.workload.target(rows[row]))?;
        seen.requests += 1;
        seen.bytes += took.bytes;
        // Not `saturating_record`: that one keeps to the histogram's first range, which ends at 2047.
        let full = |error| LabError::Unusable(format!("no histogram: {error}"));
        seen.total_us.record(took.total_us).map_err(full)?;
        seen.first_byte_us
            .record(took.first_byte_us)
            .map_err(full)?;
    }
    Ok(seen)
}
