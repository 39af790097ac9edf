//! What the exporters of a replay are given.

use std::collections::BTreeMap;

use hotset_outcome::{Distribution, FIRST_BYTE_LINE_US, Outcome, Times};
use hotset_replay::schedule::{ScheduleSummary, Skipped};
use hotset_replay::{ConformingConnections, Metrics, ReplayResult, Second};
use hotset_trace::Zone;
use hotset_trace::read::ReadSummary;
use serde::Serialize;

use crate::json;

/// A replay. Its fields are the keys of `--json`.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReplayView {
    /// Where requests were sent.
    pub url: String,
    /// All that was sent.
    #[serde(flatten)]
    pub total: ReplayPart,
    /// Requests that were due a second; none in a closed loop.
    pub requested_rate: Option<f64>,
    /// Requests a second that the scale asks for: those of the trace times the scale; none in a closed loop.
    pub asked_rate: Option<f64>,
    /// Requests answered a second.
    pub achieved_rate: f64,
    /// From the first request recorded to the end of the last, seconds.
    pub elapsed_seconds: f64,
    /// How late requests left that nothing but the client held up, microseconds.
    pub lateness_us: TimeSummary,
    /// Largest share of the time that a thread of the client was busy.
    pub busy_share: f64,
    /// Why the figures may be the client's rather than the server's, and what helps; null where they are not.
    pub client_limit: Option<String>,
    /// Why clearly fewer requests are due than the scale asks for; null where they are not.
    pub scale_limit: Option<String>,
    /// Connections opened.
    pub connections: u64,
    /// Connections that waited because too many were open.
    pub held_connections: u64,
    /// Connections opened again because the server had closed them between two requests.
    pub reopened_connections: u64,
    /// Connections that received what SPECweb99 asks for; null where its operations were not sent.
    pub conforming: Option<ConformingConnections>,
    /// Whether it was interrupted.
    pub interrupted: bool,
    /// Requests that were under way then.
    pub unfinished: u64,
    /// Site by site.
    pub sites: Vec<ReplaySite>,
    /// By size of the file in the trace, smallest first; classes without requests are left out.
    pub size_classes: Vec<ReplaySizeClass>,
    /// Second by second.
    pub timeline: Vec<ReplaySecond>,
    /// What of the trace was sent.
    pub schedule: ScheduleSummary,
    /// What of it was not, by reason.
    pub skipped: Skipped,
    /// How the trace was read.
    pub reading: ReadSummary,
    /// Zone of the times shown.
    #[serde(skip)]
    pub time_zone: Zone,
    /// How long the load grew at the start, which is in no figure, microseconds; 0 for no ramp.
    #[serde(skip)]
    pub ramp_us: f64,
    /// How it came about: (what, value) in the order shown.
    #[serde(serialize_with = "json::as_map")]
    #[cfg_attr(feature = "schemas", schemars(with = "BTreeMap<String, String>"))]
    pub provenance: Vec<(String, String)>,
    /// The same for `hotset compare`.
    pub outcomes: Vec<Outcome>,
}

/// Requests and their times.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReplayPart {
    /// Requests that ended, answered or not.
    pub requests: u64,
    /// Those that failed.
    pub errors: u64,
    /// Requests that failed, by what went wrong: refused, unreachable, connect_timeout, tls, reset, closed_early,
    /// response_timeout, malformed, redirect, status_4xx, status_5xx, local; kinds that did not occur are left out.
    pub errors_by_kind: BTreeMap<String, u64>,
    /// Answered with a body of another length than the trace's.
    pub wrong_length: u64,
    /// Bytes of the bodies received.
    pub bytes: u64,
    /// Opening a connection, microseconds.
    pub connect_us: TimeSummary,
    /// From the request sent on an open connection to the first byte of its answer, microseconds.
    pub first_byte_us: TimeSummary,
    /// From the time the request was due to the last byte of its answer, microseconds.
    pub from_intended_us: TimeSummary,
    /// From the request sent to the last byte of its answer, microseconds.
    pub total_us: TimeSummary,
    /// Share of the first bytes that came later than 0.5 s; null without any.
    pub late_first_byte_share: Option<f64>,
}

/// A distribution of times in short; nothing where none was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TimeSummary {
    /// Mean.
    pub mean: Option<f64>,
    /// Median.
    pub p50: Option<f64>,
    /// 95th percentile.
    pub p95: Option<f64>,
    /// 99th percentile.
    pub p99: Option<f64>,
    /// Longest.
    pub max: Option<f64>,
}

/// A site.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReplaySite {
    /// Its name.
    pub site: String,
    /// What was sent to it.
    #[serde(flatten)]
    pub part: ReplayPart,
}

/// Files of similar size.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReplaySizeClass {
    /// Its limits in words.
    pub class: String,
    /// Smallest size, bytes.
    pub from_bytes: u64,
    /// The size after the largest, bytes; none for the last class.
    pub below_bytes: Option<u64>,
    /// What was sent for them.
    #[serde(flatten)]
    pub part: ReplayPart,
}

/// One second.
#[derive(Clone, Copy, Debug, Default, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReplaySecond {
    /// Which, from 0.
    pub second: u64,
    /// Requests sent.
    pub sent: u64,
    /// Requests answered.
    pub answered: u64,
    /// Requests that failed.
    pub errors: u64,
    /// Bytes of the bodies received.
    pub bytes: u64,
    /// Mean time to the first byte of the requests answered; null without any.
    pub first_byte_mean_us: Option<f64>,
    /// Longest from the time a request was due to the last byte of its answer, microseconds.
    pub from_intended_max_us: u64,
}

impl ReplayView {
    /// What of it `replayed` says; the rest is empty.
    pub fn of(replayed: &ReplayResult) -> ReplayView {
        let site = |(site, measured): &(String, Metrics)| ReplaySite {
            site: site.clone(),
            part: measured.into(),
        };
        ReplayView {
            total: (&replayed.total).into(),
            requested_rate: replayed.requested_rate,
            achieved_rate: replayed.achieved_rate,
            elapsed_seconds: replayed.elapsed.as_secs_f64(),
            lateness_us: Distribution::of(&replayed.lateness_us).into(),
            busy_share: replayed.busy_share,
            connections: replayed.connections,
            held_connections: replayed.held_connections,
            reopened_connections: replayed.reopened_connections,
            conforming: ConformingConnections::of(&replayed.client_rates),
            interrupted: replayed.interrupted,
            unfinished: replayed.unfinished,
            sites: replayed.sites.iter().map(site).collect(),
            size_classes: size_classes(replayed),
            timeline: replayed.timeline.iter().zip(0..).map(second).collect(),
            ..Self::default()
        }
    }
}

fn size_classes(replayed: &ReplayResult) -> Vec<ReplaySizeClass> {
    let classes = replayed.size_classes.iter();
    classes
        .map(|(class, measured)| ReplaySizeClass {
            class: class.to_string(),
            from_bytes: class.from_bytes(),
            below_bytes: class.to_bytes(),
            part: measured.into(),
        })
        .collect()
}

/// A second of a timeline, and which it is.
pub(super) fn second((of, second): (&Second, u64)) -> ReplaySecond {
    let mean = of.first_byte_sum_us as f64 / of.answered as f64;
    ReplaySecond {
        second,
        sent: of.sent,
        answered: of.answered,
        errors: of.errors,
        bytes: of.bytes,
        first_byte_mean_us: (of.answered > 0).then_some(mean),
        from_intended_max_us: of.from_intended_max_us,
    }
}

impl From<&Metrics> for ReplayPart {
    fn from(measured: &Metrics) -> ReplayPart {
        let kinds = measured.errors.iter();
        ReplayPart {
            requests: measured.requests,
            errors: measured.errors.total(),
            errors_by_kind: kinds
                .map(|(kind, count)| (kind.name().to_owned(), count))
                .collect(),
            wrong_length: measured.wrong_length,
            bytes: measured.bytes,
            connect_us: measured.connect.distribution().into(),
            first_byte_us: measured.first_byte.distribution().into(),
            from_intended_us: measured.from_intended.distribution().into(),
            total_us: measured.total.distribution().into(),
            late_first_byte_share: late_share(&measured.first_byte),
        }
    }
}

impl From<Distribution> for TimeSummary {
    fn from(times: Distribution) -> TimeSummary {
        TimeSummary {
            mean: times.mean_us,
            p50: times.p50_us,
            p95: times.p95_us,
            p99: times.p99_us,
            max: times.max_us,
        }
    }
}

fn late_share(first_byte: &Times) -> Option<f64> {
    let within = first_byte
        .histogram()
        .count_between(0, FIRST_BYTE_LINE_US as u64);
    let count = first_byte.count();
    (count > 0).then(|| count.saturating_sub(within) as f64 / count as f64)
}
