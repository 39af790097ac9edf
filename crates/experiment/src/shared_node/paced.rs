//! One client, one request at a time, in the order of the trace: the response times that the planner predicts.

use std::ptr;
use std::time::Duration;

use hotset_outcome::{Outcome, Recorder, Score};
use hotset_replay::Client;

use super::readings::StageReadings;
use super::result::{Counts, Moment, Paced, SiteAccesses};
use super::stage::Stage;
use super::subject::Subject;
use super::workload::SITES;
use crate::ExperimentError;
use hotset_lab::disk::DiskCounters;
use hotset_lab::go_on;

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

/// Measures, with the disks' delays on. Where there are several stages each gets every request, and they take turns at
/// being first: what else the machine does, or a machine beside it on the same hardware, then meets all alike. A request is
/// uncached when the disk read something between its sending and its last byte: the kernel's counters of the disk are
/// read between requests, outside of their times, and nothing else uses the disk.
pub(super) fn measure(
    stages: &[&Stage],
    subject: &Subject,
) -> Result<Vec<(Paced, Outcome)>, ExperimentError> {
    let mut recordings = stages
        .iter()
        .map(|stage| Recording::begin(stage))
        .collect::<Result<Vec<_>, _>>()?;
    let Some(first) = stages.first() else {
        return Ok(Vec::new());
    };
    for object in first.served(first.workload.held_out()) {
        go_on(subject.session.control)?;
        for recording in &mut recordings {
            recording.ask(object)?;
        }
        recordings.rotate_left(1);
    }
    // Back in the order of the stages.
    recordings.sort_by_key(|recording| {
        stages
            .iter()
            .position(|stage| ptr::eq(*stage, recording.stage))
    });
    let finish = |recording: Recording| recording.finish(subject);
    recordings.into_iter().map(finish).collect()
}

/// What is known of one stage's requests so far.
struct Recording<'s> {
    stage: &'s Stage<'s>,
    clients: [Client; 2],
    begin: StageReadings<'s>,
    disk: DiskCounters,
    sites: [SiteAccesses; 2],
    all: Times,
    by_site: [Times; 2],
    requests: u64,
    bytes: u64,
    timeline: Vec<Moment>,
    /// Seconds from one moment to the next.
    every: f64,
}

impl<'s> Recording<'s> {
    fn begin(stage: &'s Stage<'s>) -> Result<Self, ExperimentError> {
        let clients = stage.clients()?;
        let begin = StageReadings::take(stage)?;
        Ok(Self {
            stage,
            clients,
            disk: begin.node.disks[0],
            begin,
            sites: SITES.map(|site| SiteAccesses {
                site: site.to_owned(),
                cached: 0,
                uncached: 0,
                disk_read_bytes: 0,
            }),
            all: Times::default(),
            by_site: <[Times; 2]>::default(),
            requests: 0,
            bytes: 0,
            timeline: Vec::new(),
            every: 1.0,
        })
    }

    fn ask(&mut self, object: u32) -> Result<(), ExperimentError> {
        let site = self.stage.workload.site(object);
        let (target, bytes) = (
            self.stage.workload.target(object),
            self.stage.workload.size(object),
        );
        let answer = self.clients[site].get(&target, bytes)?;
        let after = self.stage.bench.disk()?.counters()?;
        let read = after.read_bytes - self.disk.read_bytes;
        self.disk = after;
        let cached = read == 0;
        self.sites[site].cached += u64::from(cached);
        self.sites[site].uncached += u64::from(!cached);
        self.sites[site].disk_read_bytes += read;
        for times in [&mut self.all, &mut self.by_site[site]] {
            times.total.record(cached, bytes, us(answer.total));
            times
                .first_byte
                .record(cached, bytes, us(answer.first_byte));
        }
        self.requests += 1;
        self.bytes += bytes;
        self.note_moment()
    }

    fn note_moment(&mut self) -> Result<(), ExperimentError> {
        let seconds = self.begin.node.start.elapsed().as_secs_f64();
        if seconds < self.every * (self.timeline.len() + 1) as f64 {
            return Ok(());
        }
        self.timeline.push(Moment {
            seconds,
            requests: self.requests,
            disk_read_bytes: self.disk.read_bytes - self.begin.node.disks[0].read_bytes,
            server_cpu_us: self.stage.server_cpu_us()? - self.begin.server_cpu_us,
        });
        if self.timeline.len() == MOST_MOMENTS {
            thin(&mut self.timeline);
            self.every *= 2.0;
        }
        Ok(())
    }

    fn finish(self, subject: &Subject) -> Result<(Paced, Outcome), ExperimentError> {
        let (counts, counted) = self.begin.counted()?;
        let counts = Counts {
            requests: self.requests,
            cached: Some(self.sites.iter().map(|site| site.cached).sum()),
            uncached: Some(self.sites.iter().map(|site| site.uncached).sum()),
            bytes: self.bytes,
            ..counts
        };
        let mut outcome = subject.outcome("paced", self.all.score(), counted);
        for (site, times) in SITES.iter().zip(&self.by_site) {
            if times.total.score().requests != Some(0) {
                outcome = outcome.with_site(*site, times.score());
            }
        }
        let paced = Paced {
            counts,
            sites: self.sites.to_vec(),
            memory: self.stage.memory()?,
            timeline: self.timeline,
        };
        Ok((paced, outcome))
    }
}

fn us(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1000.0
}

/// Keeps every second moment.
fn thin(timeline: &mut Vec<Moment>) {
    let mut index = 0;
    timeline.retain(|_| {
        index += 1;
        index % 2 == 0
    });
}
