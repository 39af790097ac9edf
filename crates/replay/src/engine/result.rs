//! Adding up what the threads recorded.

use std::time::Duration;

use super::clock::ns;
use super::descriptors::ConnectionLimit;

use super::load::is_recorded;
use super::recorder::{Recorder, SECOND_NS};
use super::requests::{Requests, Row};
use crate::{ClientLimit, Load, Metrics, ReplayResult, Second, SizeClass, WarmUp};

/// A thread that is busy for more than this share of its time has no reserve for what is due next.
const BUSY_SHARE: f64 = 0.9;
/// Lateness of 1 % of the requests that is still no limit, microseconds.
const LATE_US: u64 = 1000;

/// How the replay went as a whole.
pub struct EngineRun {
    pub connections: ConnectionLimit,
    pub interrupted: bool,
    /// When it ended, nanoseconds since time zero.
    pub ended_ns: u64,
}

/// Merges the threads' figures.
pub fn replayed(
    requests: &Requests<'_>,
    recorders: Vec<Recorder>,
    run: &EngineRun,
) -> ReplayResult {
    let merged = merged(requests, recorders);
    let elapsed_ns = merged.last_end_ns.saturating_sub(merged.first_due_ns);
    let achieved_rate = merged.rate();
    let lateness = merged.lateness_us;
    let late_us = lateness.value_at_quantile(0.99);
    let limit = client_limit(run, merged.busy_share, late_us, merged.held_connections);
    let sites = requests.schedule.sites.iter().cloned();
    ReplayResult {
        sites: sites.zip(merged.sites.into_iter().map(unboxed)).collect(),
        size_classes: size_classes(merged.classes),
        requested_rate: requested_rate(requests, run),
        achieved_rate,
        elapsed: Duration::from_nanos(elapsed_ns),
        lateness_us: lateness,
        busy_share: merged.busy_share,
        client_limit: limit,
        held_connections: merged.held_connections,
        connections: merged.connections,
        reopened_connections: merged.reopened_connections,
        timeline: from_first_used(requests, merged.timeline),
        client_rates: merged.client_rates,
        interrupted: run.interrupted,
        unfinished: merged.unfinished,
        total: merged.total,
    }
}

fn merged(requests: &Requests<'_>, recorders: Vec<Recorder>) -> Recorder {
    let none = || Recorder::new(requests.schedule.sites.len(), requests.end_ns());
    recorders
        .into_iter()
        .reduce(|mut all, one| {
            all.merge(one);
            all
        })
        .unwrap_or_else(none)
}

fn unboxed(group: Option<Box<Metrics>>) -> Metrics {
    group.map_or_else(Metrics::default, |group| *group)
}

fn size_classes(classes: Vec<Option<Box<Metrics>>>) -> Vec<(SizeClass, Metrics)> {
    let classes = SizeClass::all().zip(classes.into_iter().map(unboxed));
    classes
        .filter(|(_, measured)| measured.requests > 0)
        .collect()
}

/// Requests per second between the first and the last that was due before the end.
fn requested_rate(requests: &Requests<'_>, run: &EngineRun) -> Option<f64> {
    if requests.options.load != Load::Open {
        return None;
    }
    let rows = 0..requests.schedule.site.len() as Row;
    let due = rows
        .filter(|&row| is_recorded(requests, row))
        .map(|row| requests.due_ns(row))
        .filter(|&due| !run.interrupted || due <= run.ended_ns);
    let (mut count, mut first, mut last) = (0_u64, u64::MAX, 0);
    for ns in due {
        count += 1;
        first = first.min(ns);
        last = last.max(ns);
    }
    (last > first).then(|| (count - 1) as f64 * SECOND_NS as f64 / (last - first) as f64)
}

fn client_limit(run: &EngineRun, busy_share: f64, late_us: u64, held: u64) -> Option<ClientLimit> {
    let descriptors = run.connections.by_descriptors && held > 0;
    let limits = [
        descriptors.then_some(ClientLimit::FileDescriptors {
            connections: run.connections.most,
        }),
        (late_us > LATE_US).then_some(ClientLimit::Late { p99_us: late_us }),
        (busy_share > BUSY_SHARE).then_some(ClientLimit::Busy { share: busy_share }),
    ];
    limits.into_iter().flatten().next()
}

/// The seconds after the ramp and the warm-up.
fn from_first_used(requests: &Requests<'_>, timeline: Vec<Second>) -> Vec<Second> {
    let used = |second: &Second| *second != Second::default();
    let second = |time| (ns(time) / SECOND_NS) as usize;
    let first = match requests.options.warm_up {
        WarmUp::None => 0,
        WarmUp::Duration(time) => second(time),
        WarmUp::Requests(_) => timeline.iter().position(used).unwrap_or(timeline.len()),
    };
    let first = first.max(second(requests.options.ramp));
    timeline.into_iter().skip(first).collect()
}

impl Recorder {
    /// Answers per second, from the first request being due to the last answer, or to the last request being
    /// due where answers ended before. Waiting for a timeout at the end does not lower it.
    pub fn rate(&self) -> f64 {
        let end = self
            .last_answer_ns
            .max(self.last_due_ns.min(self.rate_end_ns));
        let ns = end.saturating_sub(self.first_due_ns);
        if ns == 0 {
            return 0.0;
        }
        self.answers_in_time as f64 * SECOND_NS as f64 / ns as f64
    }

    /// Adds what another thread measured.
    pub fn merge(&mut self, other: Recorder) {
        self.total.merge(&other.total);
        merge_groups(&mut self.sites, other.sites);
        merge_groups(&mut self.classes, other.classes);
        self.lateness_us += &other.lateness_us;
        self.merge_timeline(&other.timeline);
        self.first_due_ns = self.first_due_ns.min(other.first_due_ns);
        self.last_due_ns = self.last_due_ns.max(other.last_due_ns);
        self.last_end_ns = self.last_end_ns.max(other.last_end_ns);
        self.answers_in_time += other.answers_in_time;
        self.last_answer_ns = self.last_answer_ns.max(other.last_answer_ns);
        self.held_connections += other.held_connections;
        self.connections += other.connections;
        self.reopened_connections += other.reopened_connections;
        self.unfinished += other.unfinished;
        self.busy_share = self.busy_share.max(other.busy_share);
        self.client_rates.extend(other.client_rates);
    }

    fn merge_timeline(&mut self, other: &[Second]) {
        let seconds = self.timeline.len().max(other.len());
        self.timeline.resize(seconds, Second::default());
        for (second, more) in self.timeline.iter_mut().zip(other) {
            second.merge(more);
        }
    }
}

fn merge_groups(groups: &mut [Option<Box<Metrics>>], others: Vec<Option<Box<Metrics>>>) {
    for (group, other) in groups.iter_mut().zip(others) {
        match (group.as_mut(), other) {
            (Some(group), Some(other)) => group.merge(&other),
            (None, other) => *group = other,
            (Some(_), None) => {}
        }
    }
}
