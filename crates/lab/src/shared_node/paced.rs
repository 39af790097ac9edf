//! One client, one request at a time, in the order of the trace: the response times that the planner predicts.

use hotset_outcome::{Outcome, Provenance, Recorder, Score};

use super::readings::Readings;
use super::stage::Stage;
use crate::LabError;
use crate::control::{Control, go_on};
use crate::result::{Counts, Moment, Paced, SiteAccesses};
use crate::workload::SITES;

/// Moments kept; when there are as many, every second is dropped and they come half as often.
const MOST_MOMENTS: usize = 120;

/// Times of one site or of both.
#[derive(Default)]
struct Times {
    total: Recorder,
    first_byte: Recorder,
}

impl Times {
    fn score(&self) -> Score {
        let mut score = self.total.score();
        score.latencies.total = score.latencies.response.take();
        score.latencies.first_byte = self.first_byte.score().latencies.response;
        // The series of the whole response serves both; a second one would double the document.
        if let Some(first_byte) = &mut score.latencies.first_byte {
            first_byte.series = None;
        }
        score
    }
}

/// Measures, with the disk's delays on. A request is uncached when the disk read something between its sending and its
/// last byte: the kernel's counters of the disk are read between requests, outside of their times, and nothing else
/// uses the disk.
pub(super) fn measure(
    stage: &Stage,
    name: &str,
    provenance: Provenance,
    control: &dyn Control,
) -> Result<(Paced, Outcome), LabError> {
    let disk = stage.bench.disk()?;
    let mut probes = stage.probes()?;
    let mut sites = SITES.map(|site| SiteAccesses {
        site: site.to_owned(),
        cached: 0,
        uncached: 0,
        disk_read_bytes: 0,
    });
    let (mut all, mut by_site) = (Times::default(), [Times::default(), Times::default()]);
    let (mut timeline, mut every) = (Vec::new(), 1.0);
    let begin = Readings::take(stage)?;
    let (mut before, mut requests, mut bytes) = (begin.disk, 0, 0);
    for object in stage.served(stage.workload.held_out()) {
        go_on(control)?;
        let site = stage.workload.site(object);
        let took = probes[site].get(&stage.workload.target(object))?;
        let after = disk.counters()?;
        let read = after.read_bytes - before.read_bytes;
        before = after;
        let cached = read == 0;
        sites[site].cached += u64::from(cached);
        sites[site].uncached += u64::from(!cached);
        sites[site].disk_read_bytes += read;
        for times in [&mut all, &mut by_site[site]] {
            times.total.record(cached, took.bytes, took.total_us as f64);
            times
                .first_byte
                .record(cached, took.bytes, took.first_byte_us as f64);
        }
        requests += 1;
        bytes += took.bytes;
        let seconds = begin.start.elapsed().as_secs_f64();
        if seconds >= every * (timeline.len() + 1) as f64 {
            timeline.push(Moment {
                seconds,
                requests,
                disk_read_bytes: after.read_bytes - begin.disk.read_bytes,
                server_cpu_us: stage.server_cpu_us()? - begin.server_cpu_us,
            });
            if timeline.len() == MOST_MOMENTS {
                thin(&mut timeline);
                every *= 2.0;
            }
        }
    }
    let counts = Counts {
        requests,
        cached: Some(sites.iter().map(|site| site.cached).sum()),
        uncached: Some(sites.iter().map(|site| site.uncached).sum()),
        bytes,
        ..begin.counts(stage)?
    };
    let mut outcome = Outcome::new(format!("{name}, paced"), provenance, all.score());
    for (site, times) in SITES.iter().zip(&by_site) {
        if times.total.score().requests != Some(0) {
            outcome = outcome.with_site(*site, times.score());
        }
    }
    let paced = Paced {
        counts,
        sites: sites.to_vec(),
        memory: stage.memory()?,
        timeline,
    };
    Ok((paced, outcome))
}

/// Keeps every second moment.
fn thin(timeline: &mut Vec<Moment>) {
    let mut index = 0;
    timeline.retain(|_| {
        index += 1;
        index % 2 == 0
    });
}
