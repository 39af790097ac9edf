//! What simulating a job comes to.

use hdrhistogram::Histogram;
use hotset_outcome::{
    Distribution, Latencies, Outcome, Provenance, ProvenanceKind, Resource, Score,
};
use serde::Serialize;

use super::Job;
use super::application::FinishedRead;

/// What a job's reads spend most of their time with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Bottleneck {
    /// The device's delay before the first byte, and waiting for it.
    Device,
    /// Calls and copying, and waiting for a processor.
    Processor,
    /// The job's own pauses: its `rate` or `thinktime`.
    Pauses,
}

impl Bottleneck {
    /// As documents write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What simulating a job comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct JobResult {
    /// Requests, hits, throughput and latencies; what the resources did meanwhile.
    pub outcome: Outcome,
    /// From the first counted read to the last, seconds.
    pub seconds: f64,
    /// Bytes a second.
    pub bytes_per_s: f64,
    /// Bytes that the device read for it, read-ahead included.
    pub device_bytes: u64,
    /// What its reads spend most of their time with; nothing where they take none.
    pub bottleneck: Option<Bottleneck>,
}

/// Significant digits of latencies: within 0.1 %.
const DIGITS: u8 = 3;

/// What is counted of a job's reads.
pub(super) struct Counts {
    times_ns: Histogram<u64>,
    sum_ns: f64,
    hits: u64,
    bytes: u64,
    hit_bytes: u64,
    pub device_bytes: u64,
    pub device_ns: f64,
    pub processor_ns: f64,
    pub pause_ns: f64,
    /// When the counted part began, and when its last read ended.
    pub from_ns: u64,
    pub to_ns: u64,
}

impl Counts {
    pub fn new(from_ns: u64) -> Self {
        let times_ns = match Histogram::new(DIGITS) {
            Ok(histogram) => histogram,
            Err(_) => unreachable!("three digits are within the library's range of 0 to 5"),
        };
        Self {
            times_ns,
            sum_ns: 0.0,
            hits: 0,
            bytes: 0,
            hit_bytes: 0,
            device_bytes: 0,
            device_ns: 0.0,
            processor_ns: 0.0,
            pause_ns: 0.0,
            from_ns,
            to_ns: from_ns,
        }
    }

    /// Counts a read that is taken back at `now_ns`, where the counted part had begun with it.
    pub fn take(&mut self, now_ns: u64, done: FinishedRead) {
        if done.from_ns >= self.from_ns {
            self.record(now_ns, now_ns - done.from_ns, done.bytes, done.hit);
        }
    }

    /// Counts a read that ended at `now_ns`.
    fn record(&mut self, now_ns: u64, took_ns: u64, bytes: u64, hit: bool) {
        hotset_outcome::add_to_histogram(&mut self.times_ns, took_ns);
        self.sum_ns += took_ns as f64;
        self.bytes += bytes;
        if hit {
            self.hits += 1;
            self.hit_bytes += bytes;
        }
        self.to_ns = self.to_ns.max(now_ns);
    }

    /// The result, with what the resources did while the job ran.
    pub fn result(
        &self,
        job: &Job,
        settings: &[(String, String)],
        seed: u64,
        resources: Vec<Resource>,
    ) -> JobResult {
        let seconds = (self.to_ns - self.from_ns) as f64 / 1e9;
        let rate = |count: u64| {
            if seconds > 0.0 {
                count as f64 / seconds
            } else {
                0.0
            }
        };
        let provenance = Provenance {
            seed: Some(seed),
            settings: settings.to_vec(),
            ..Provenance::new(ProvenanceKind::Simulated)
        };
        let mut outcome = Outcome::new(
            job.name.clone(),
            provenance,
            self.score(rate(self.times_ns.len())),
        );
        outcome.resources = resources;
        JobResult {
            outcome,
            seconds,
            bytes_per_s: rate(self.bytes),
            device_bytes: self.device_bytes,
            bottleneck: self.bottleneck(),
        }
    }

    fn score(&self, throughput_per_s: f64) -> Score {
        Score {
            requests: Some(self.times_ns.len()),
            hits: Some(self.hits),
            bytes: Some(self.bytes),
            hit_bytes: Some(self.hit_bytes),
            throughput_per_s: Some(throughput_per_s),
            latencies: Latencies {
                response: Some(self.distribution()),
                ..Latencies::default()
            },
            ..Score::default()
        }
    }

    /// Without a histogram: outcomes have them in whole microseconds, and a read from memory takes less.
    fn distribution(&self) -> Distribution {
        let count = self.times_ns.len();
        let some = |ns: f64| (count > 0).then_some(ns / 1e3);
        let quantile = |share: f64| some(self.times_ns.value_at_quantile(share) as f64);
        Distribution {
            count: Some(count),
            mean_us: some(self.sum_ns / count.max(1) as f64),
            p50_us: quantile(0.5),
            p95_us: quantile(0.95),
            p99_us: quantile(0.99),
            max_us: some(self.times_ns.max() as f64),
            ..Distribution::default()
        }
    }

    fn bottleneck(&self) -> Option<Bottleneck> {
        let parts = [
            (Bottleneck::Device, self.device_ns),
            (Bottleneck::Processor, self.processor_ns),
            (Bottleneck::Pauses, self.pause_ns),
        ];
        let largest = parts.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        largest.filter(|&(_, ns)| ns > 0.0).map(|(part, _)| part)
    }
}
