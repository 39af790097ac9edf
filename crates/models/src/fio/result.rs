//! What simulating a job comes to.

use hdrhistogram::Histogram;
use hotset_outcome::{
    Distribution, Latencies, Outcome, Provenance, ProvenanceKind, Resource, Score,
};
use serde::Serialize;

use super::Job;
use super::application::Finished;
use super::operation::Operation;
use crate::remote::nfs::RemoteResult;
use crate::storage::WrittenBytes;

/// What a job's requests spend most of their time with.
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
    /// Pauses that the kernel makes where too much is dirty.
    Throttle,
    /// Waiting until files are on the device (`fsync`), but for the journal.
    Flush,
    /// Waiting until the journal has committed what `fsync` is for, or has room for more.
    Journal,
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
    /// From when it is counted, which is after its ramp, to the end of its last request, seconds.
    pub seconds: f64,
    /// Bytes a second, read and written.
    pub bytes_per_s: f64,
    /// Bytes that the device read for requests that are counted, read-ahead included.
    pub device_bytes: u64,
    /// Bytes of its files that the device was given after its ramp, while its stage ran, and those of the journal and of metadata for
    /// these.
    pub device_written_bytes: WrittenBytes,
    /// Reads, writes and syncs apart, those that it has.
    pub operations: Vec<OperationResult>,
    /// What its requests spend most of their time with; nothing where they take none. Of a store on a file server, the device is all that
    /// they wait for there.
    pub bottleneck: Option<Bottleneck>,
    /// What the machine and the file server had to do with each other while its stage ran, if there is one. Where all jobs of the stage have
    /// ramps, it is what they had to do after the first of these.
    pub remote: Option<RemoteResult>,
}

/// What simulating requests of one kind comes to.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct OperationResult {
    /// What is asked for: read, write or fsync.
    pub operation: Operation,
    /// How often.
    pub requests: u64,
    /// Bytes read or written; 0 for fsync.
    pub bytes: u64,
    /// The same in a second.
    pub bytes_per_s: f64,
    /// Mean time of a request, microseconds.
    pub mean_us: f64,
    /// The time that 99 % of requests do not exceed, microseconds.
    pub p99_us: f64,
}

/// Significant digits of latencies: within 0.1 %.
const DIGITS: u8 = 3;

/// What is counted of requests of one kind.
struct OperationCounts {
    times_ns: Histogram<u64>,
    sum_ns: f64,
    hits: u64,
    bytes: u64,
    hit_bytes: u64,
}

impl OperationCounts {
    fn new() -> Self {
        Self {
            times_ns: histogram(),
            sum_ns: 0.0,
            hits: 0,
            bytes: 0,
            hit_bytes: 0,
        }
    }

    fn record(&mut self, took_ns: u64, bytes: u64, hit: bool) {
        hotset_outcome::add_to_histogram(&mut self.times_ns, took_ns);
        self.sum_ns += took_ns as f64;
        self.bytes += bytes;
        if hit {
            self.hits += 1;
            self.hit_bytes += bytes;
        }
    }

    /// Both together.
    fn with(&self, other: &Self) -> Self {
        let mut times_ns = self.times_ns.clone();
        let added = times_ns.add(&other.times_ns);
        debug_assert!(added.is_ok(), "a histogram that grows takes every other");
        Self {
            times_ns,
            sum_ns: self.sum_ns + other.sum_ns,
            hits: self.hits + other.hits,
            bytes: self.bytes + other.bytes,
            hit_bytes: self.hit_bytes + other.hit_bytes,
        }
    }

    fn result(&self, operation: Operation, seconds: f64) -> Option<OperationResult> {
        let requests = self.times_ns.len();
        (requests > 0).then(|| OperationResult {
            operation,
            requests,
            bytes: self.bytes,
            bytes_per_s: per_second(self.bytes, seconds),
            mean_us: self.sum_ns / requests as f64 / 1e3,
            p99_us: self.times_ns.value_at_quantile(0.99) as f64 / 1e3,
        })
    }

    fn score(&self, seconds: f64) -> Score {
        Score {
            requests: Some(self.times_ns.len()),
            hits: Some(self.hits),
            bytes: Some(self.bytes),
            hit_bytes: Some(self.hit_bytes),
            throughput_per_s: Some(per_second(self.times_ns.len(), seconds)),
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
}

fn histogram() -> Histogram<u64> {
    match Histogram::new(DIGITS) {
        Ok(histogram) => histogram,
        Err(_) => unreachable!("three digits are within the library's range of 0 to 5"),
    }
}

fn per_second(count: u64, seconds: f64) -> f64 {
    match seconds > 0.0 {
        true => count as f64 / seconds,
        false => 0.0,
    }
}

/// What writing the files of a job came to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Written {
    pub bytes: WrittenBytes,
    /// Time that programs waited for the journal after the data was written, nanoseconds.
    pub commit_ns: u64,
}

/// What is counted of a job's requests.
pub(super) struct Counts {
    reads: OperationCounts,
    writes: OperationCounts,
    syncs: OperationCounts,
    device_bytes: u64,
    /// Time that requests wait for the device, for what is paused and for syncs, nanoseconds; what processors do, and the job's pauses.
    pub device_ns: f64,
    pub throttle_ns: f64,
    pub flush_ns: f64,
    /// Time that they wait for room in the journal.
    pub journal_ns: f64,
    pub processor_ns: f64,
    pub pause_ns: f64,
    /// When the counted part began, and when its last request ended.
    pub from_ns: u64,
    pub to_ns: u64,
}

impl Counts {
    pub fn new(from_ns: u64) -> Self {
        Self {
            reads: OperationCounts::new(),
            writes: OperationCounts::new(),
            syncs: OperationCounts::new(),
            device_bytes: 0,
            device_ns: 0.0,
            throttle_ns: 0.0,
            flush_ns: 0.0,
            journal_ns: 0.0,
            processor_ns: 0.0,
            pause_ns: 0.0,
            from_ns,
            to_ns: from_ns,
        }
    }

    /// Nanoseconds from one time to another that are counted.
    pub fn counted_ns(&self, from_ns: u64, to_ns: u64) -> f64 {
        to_ns.saturating_sub(from_ns.max(self.from_ns)) as f64
    }

    /// Counts bytes that the device reads for a request that began at `begun_ns`, where the counted part had begun with it.
    pub fn add_device_bytes(&mut self, begun_ns: u64, bytes: u64) {
        if begun_ns >= self.from_ns {
            self.device_bytes += bytes;
        }
    }

    /// Counts a request that is taken back at `now_ns`, where the counted part had begun with it.
    pub fn take(&mut self, now_ns: u64, done: Finished) {
        if done.from_ns >= self.from_ns {
            let counts = match done.operation {
                Operation::Read => &mut self.reads,
                Operation::Write => &mut self.writes,
                Operation::Fsync => &mut self.syncs,
            };
            counts.record(now_ns - done.from_ns, done.bytes, done.hit);
            self.to_ns = self.to_ns.max(now_ns);
        }
    }

    /// The result, with what the device was given and what the resources did while the job ran.
    pub fn result(
        &self,
        job: &Job,
        settings: &[(String, String)],
        seed: u64,
        written: Written,
        resources: Vec<Resource>,
    ) -> JobResult {
        let seconds = (self.to_ns - self.from_ns) as f64 / 1e9;
        let provenance = Provenance {
            seed: Some(seed),
            settings: settings.to_vec(),
            ..Provenance::new(ProvenanceKind::Simulated)
        };
        let all = self.reads.with(&self.writes);
        let mut outcome = Outcome::new(job.name.clone(), provenance, all.score(seconds));
        outcome.resources = resources;
        let counts = [&self.reads, &self.writes, &self.syncs];
        let operations = Operation::ALL.into_iter().zip(counts);
        JobResult {
            outcome,
            seconds,
            bytes_per_s: per_second(all.bytes, seconds),
            device_bytes: self.device_bytes,
            device_written_bytes: written.bytes,
            operations: operations
                .filter_map(|(operation, counts)| counts.result(operation, seconds))
                .collect(),
            bottleneck: self.bottleneck(written.commit_ns),
            remote: None,
        }
    }

    /// Programs waited so long for the journal of what they waited for files to be on the device.
    fn bottleneck(&self, commit_ns: u64) -> Option<Bottleneck> {
        let commit_ns = (commit_ns as f64).min(self.flush_ns);
        let parts = [
            (Bottleneck::Device, self.device_ns),
            (Bottleneck::Processor, self.processor_ns),
            (Bottleneck::Pauses, self.pause_ns),
            (Bottleneck::Throttle, self.throttle_ns),
            (Bottleneck::Flush, self.flush_ns - commit_ns),
            (Bottleneck::Journal, self.journal_ns + commit_ns),
        ];
        let largest = parts.into_iter().max_by(|a, b| a.1.total_cmp(&b.1));
        largest.filter(|&(_, ns)| ns > 0.0).map(|(part, _)| part)
    }
}
