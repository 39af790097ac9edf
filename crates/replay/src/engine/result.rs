//! From what the threads measured to one result.

use std::time::Duration;

use super::clock::ns;
use super::limits::Connections;
use super::load::is_recorded;
use super::plan::{Plan, Row};
use super::recorder::Recorder;
use crate::{ClientLimit, Load, Measured, Replayed, Second, SizeClass, WarmUp};

/// A thread that is busy for more than this share of its time has no reserve for what is due next.
const BUSY_SHARE: f64 = 0.9;
/// Lateness of 1 % of the requests that is still no limit, microseconds.
const LATE_US: u64 = 1000;
const SECOND_NS: f64 = 1e9;

/// How the replay went as a whole.
pub struct Circumstances {
    pub connections: Connections,
    pub interrupted: bool,
    /// When it ended, nanoseconds since time zero.
    pub ended_ns: u64,
}

/// Merges the threads' figures.
pub fn replayed(
    plan: &Plan<'_>,
    recorders: Vec<Recorder>,
    circumstances: &Circumstances,
) -> Replayed {
    let merged = merged(plan, recorders);
    let elapsed_ns = merged.last_end_ns.saturating_sub(merged.first_due_ns);
    let achieved_rate = merged.rate();
    let lateness = merged.lateness_us;
    let late_us = lateness.value_at_quantile(0.99);
    let limit = client_limit(
        circumstances,
        merged.busy_share,
        late_us,
        merged.held_connections,
    );
    let sites = plan.schedule.sites.iter().cloned();
    Replayed {
        sites: sites.zip(merged.sites.into_iter().map(unboxed)).collect(),
        size_classes: size_classes(merged.classes),
        requested_rate: requested_rate(plan, circumstances),
        achieved_rate,
        elapsed: Duration::from_nanos(elapsed_ns),
        lateness_us: lateness,
        busy_share: merged.busy_share,
        client_limit: limit,
        held_connections: merged.held_connections,
        connections: merged.connections,
        reopened_connections: merged.reopened_connections,
        timeline: from_first_used(plan, merged.timeline),
        interrupted: circumstances.interrupted,
        unfinished: merged.unfinished,
        total: merged.total,
    }
}

fn merged(plan: &Plan<'_>, recorders: Vec<Recorder>) -> Recorder {
    let none = || Recorder::new(plan.schedule.sites.len(), plan.end_ns());
    recorders
        .into_iter()
        .reduce(|mut all, one| {
            all.merge(one);
            all
        })
        .unwrap_or_else(none)
}

fn unboxed(group: Option<Box<Measured>>) -> Measured {
    group.map_or_else(Measured::default, |group| *group)
}

fn size_classes(classes: Vec<Option<Box<Measured>>>) -> Vec<(SizeClass, Measured)> {
    let classes = SizeClass::all().zip(classes.into_iter().map(unboxed));
    classes
        .filter(|(_, measured)| measured.requests > 0)
        .collect()
}

/// Requests per second between the first and the last that was due before the end.
fn requested_rate(plan: &Plan<'_>, circumstances: &Circumstances) -> Option<f64> {
    if plan.options.load != Load::Open {
        return None;
    }
    let rows = 0..plan.schedule.site.len() as Row;
    let due = rows
        .filter(|&row| is_recorded(plan, row))
        .map(|row| plan.due_ns(row))
        .filter(|&due| !circumstances.interrupted || due <= circumstances.ended_ns);
    let (mut count, mut first, mut last) = (0_u64, u64::MAX, 0);
    for ns in due {
        count += 1;
        first = first.min(ns);
        last = last.max(ns);
    }
    (last > first).then(|| (count - 1) as f64 * SECOND_NS / (last - first) as f64)
}

fn client_limit(
    circumstances: &Circumstances,
    busy_share: f64,
    late_us: u64,
    held: u64,
) -> Option<ClientLimit> {
    let descriptors = circumstances.connections.by_descriptors && held > 0;
    let limits = [
        descriptors.then_some(ClientLimit::FileDescriptors {
            connections: circumstances.connections.most,
        }),
        (late_us > LATE_US).then_some(ClientLimit::Late { p99_us: late_us }),
        (busy_share > BUSY_SHARE).then_some(ClientLimit::Busy { share: busy_share }),
    ];
    limits.into_iter().flatten().next()
}

/// The seconds after the warm-up.
fn from_first_used(plan: &Plan<'_>, timeline: Vec<Second>) -> Vec<Second> {
    let used = |second: &Second| *second != Second::default();
    let first = match plan.options.warm_up {
        WarmUp::None => 0,
        WarmUp::Duration(time) => (ns(time) as f64 / SECOND_NS) as usize,
        WarmUp::Requests(_) => timeline.iter().position(used).unwrap_or(timeline.len()),
    };
    timeline.into_iter().skip(first).collect()
}
