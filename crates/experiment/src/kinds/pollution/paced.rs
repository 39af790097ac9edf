//! One client, one request at a time, in the order of the trace: the response times that the planner predicts.

use std::ptr;

use hotset_outcome::{Bootstrap, CostSeries, Outcome, ratio_interval};
use hotset_replay::{Answer, Client};

use super::result::{Counts, Memory, Moment, PacedPhase, SiteAccesses};
use super::stage::{Stage, StageReadings};
use super::subject::Subject;
use super::workload::SITES;
use crate::ExperimentError;
use crate::answers::Answers;
use crate::readings::PhaseCounts;
use hotset_lab::go_on;

/// Moments kept; when there are as many, every second is dropped and they come half as often.
const MOST_MOMENTS: usize = 120;

/// Measures the held-out requests of the stages' workload, with the disks' delays on, and adds them to the `tallies` of the
/// stages. Where there are several stages each gets every request, and they take turns at being first: what else the
/// machine does, or a machine beside it on the same hardware, then meets all alike. A request is uncached when the disk read
/// something between its sending and its last byte: the kernel's counters of the disk are read between requests, outside
/// of their times, and nothing else uses the disk. Says whether enough was measured, looked at after every `between_looks`
/// requests.
pub(super) fn measure(
    stages: &[&Stage],
    tallies: &mut [Tally],
    between_looks: u64,
    subject: &Subject,
) -> Result<bool, ExperimentError> {
    let Some(first) = stages.first() else {
        return Ok(true);
    };
    let mut running = stages
        .iter()
        .zip(tallies)
        .map(|(stage, tally)| StageRun::begin(stage, tally))
        .collect::<Result<Vec<_>, _>>()?;
    let mut is_enough = false;
    for object in first.served(first.workload.held_out()) {
        go_on(subject.session.control)?;
        for running in &mut running {
            running.ask(object)?;
        }
        running.rotate_left(1);
        let is_due = running[0].tally.requests % between_looks.max(1) == 0;
        if is_due && is_narrow(&running, first, subject)? {
            is_enough = true;
            break;
        }
    }
    running.into_iter().try_for_each(StageRun::end)?;
    Ok(is_enough)
}

/// Whether the interval is narrow enough. Only its width decides, so that the ratio is not chosen by when the measuring
/// ends. What is not compared has no interval, and the first look is enough.
fn is_narrow(
    running: &[StageRun],
    first: &Stage,
    subject: &Subject,
) -> Result<bool, ExperimentError> {
    let Some(width) = subject.settings.interval else {
        return Ok(false);
    };
    let (arm, beside): (Vec<&StageRun>, Vec<&StageRun>) = running
        .iter()
        .partition(|running| ptr::eq(running.stage, first));
    let ([arm], [beside]) = (&arm[..], &beside[..]) else {
        return Ok(true);
    };
    let reached = half_width(
        &arm.tally.kept_series()?,
        &beside.tally.kept_series()?,
        subject.session.header.seed,
    );
    Ok(reached.is_some_and(|reached| reached <= width))
}

/// How far the interval of mean(`above`) / mean(`below`) reaches from that ratio.
fn half_width(above: &CostSeries, below: &CostSeries, seed: u64) -> Option<f64> {
    let interval = ratio_interval(above, below, &Bootstrap::seeded(seed))?;
    let ratio = above.mean()? / below.mean()?;
    Some((ratio - interval.low).max(interval.high - ratio))
}

/// What is known of a node's requests, segment after segment.
#[derive(Default)]
pub(super) struct Tally {
    sites: [SiteAccesses; 2],
    all: Answers,
    by_site: [Answers; 2],
    requests: u64,
    bytes: u64,
    timeline: Vec<Moment>,
    /// Halvings of the timeline: how many seconds lie between two moments, as a power of two.
    halvings: u32,
    /// Of the segments that have ended.
    counts: Counts,
    counted: PhaseCounts,
    memory: Option<Memory>,
}

impl Tally {
    fn record(&mut self, site: usize, bytes: u64, read_bytes: u64, answer: &Answer) {
        let cached = read_bytes == 0;
        self.sites[site].cached += u64::from(cached);
        self.sites[site].uncached += u64::from(!cached);
        self.sites[site].disk_read_bytes += read_bytes;
        for answers in [&mut self.all, &mut self.by_site[site]] {
            answers.record(cached, bytes, answer);
        }
        self.requests += 1;
        self.bytes += bytes;
    }

    /// The times so far as a kept result has them, with fewer cells: what is shown of it is computed from these.
    fn kept_series(&self) -> Result<CostSeries, ExperimentError> {
        let response = self.all.score().latencies.total;
        let series = response.and_then(|response| response.series);
        let kept = serde_json::to_value(series.unwrap_or_default());
        kept.and_then(serde_json::from_value).map_err(|error| {
            ExperimentError::Unusable(format!("the times of the requests: {error}"))
        })
    }

    /// Seconds at which the next moment is noted.
    fn next_moment(&self) -> f64 {
        f64::from(1u32 << self.halvings) * (self.timeline.len() + 1) as f64
    }

    fn note(&mut self, moment: Moment) {
        self.timeline.push(moment);
        if self.timeline.len() == MOST_MOMENTS {
            thin(&mut self.timeline);
            self.halvings += 1;
        }
    }

    /// The result and its outcome.
    pub fn finish(self, subject: &Subject) -> Option<(PacedPhase, Outcome)> {
        let counts = Counts {
            requests: self.requests,
            cached: Some(self.sites.iter().map(|site| site.cached).sum()),
            uncached: Some(self.sites.iter().map(|site| site.uncached).sum()),
            bytes: self.bytes,
            ..self.counts
        };
        let mut outcome = subject.outcome("paced", self.all.score(), self.counted);
        for (site, answers) in SITES.iter().zip(&self.by_site) {
            if answers.count() != 0 {
                outcome = outcome.with_site(*site, answers.score());
            }
        }
        let sites = SITES.iter().zip(self.sites);
        let named = sites.map(|(name, site)| SiteAccesses {
            site: (*name).to_owned(),
            ..site
        });
        let paced = PacedPhase {
            counts,
            sites: named.collect(),
            follows_training: true,
            memory: self.memory?,
            timeline: self.timeline,
        };
        Some((paced, outcome))
    }
}

/// A stage that is being asked.
struct StageRun<'s> {
    stage: &'s Stage<'s>,
    tally: &'s mut Tally,
    clients: [Client; 2],
    begin: StageReadings<'s>,
    /// What the disks have read.
    read_bytes: u64,
}

impl<'s> StageRun<'s> {
    fn begin(stage: &'s Stage<'s>, tally: &'s mut Tally) -> Result<Self, ExperimentError> {
        let clients = stage.clients()?;
        let begin = StageReadings::take(stage)?;
        Ok(Self {
            stage,
            tally,
            clients,
            read_bytes: stage.bench.read_bytes()?,
            begin,
        })
    }

    fn ask(&mut self, object: u32) -> Result<(), ExperimentError> {
        let workload = self.stage.workload;
        let (site, bytes) = (workload.site(object), workload.size(object));
        let answer = self.clients[site].get(&workload.target(object), bytes)?;
        let after = self.stage.bench.read_bytes()?;
        let read_bytes = after - self.read_bytes;
        self.read_bytes = after;
        self.tally.record(site, bytes, read_bytes, &answer);
        self.note_moment()
    }

    fn note_moment(&mut self) -> Result<(), ExperimentError> {
        let before = &self.tally.counts;
        let seconds = before.seconds + self.begin.node.start.elapsed().as_secs_f64();
        if seconds < self.tally.next_moment() {
            return Ok(());
        }
        let read_bytes = self.read_bytes - self.begin.node.read_bytes();
        let server_cpu_us = self.stage.server_cpu_us()? - self.begin.server_cpu_us;
        let moment = Moment {
            seconds,
            requests: self.tally.requests,
            disk_read_bytes: before.disk_read_bytes + read_bytes,
            server_cpu_us: before.server_cpu_us + server_cpu_us,
        };
        self.tally.note(moment);
        Ok(())
    }

    fn end(self) -> Result<(), ExperimentError> {
        let (counts, counted) = self.begin.counted()?;
        let tally = self.tally;
        tally.counts = std::mem::take(&mut tally.counts).and(counts);
        tally.counted = std::mem::take(&mut tally.counted).and(counted);
        tally.memory = Some(self.stage.memory()?);
        Ok(())
    }
}

/// Keeps every second moment.
fn thin(timeline: &mut Vec<Moment>) {
    let mut index = 0;
    timeline.retain(|_| {
        index += 1;
        index % 2 == 0
    });
}
