//! How far figures of jobs are off, measured and simulated.

use hotset_models::fio::{JobResult, Operation, OperationResult};
use serde::Serialize;

use crate::fio::{DeviceWrites, RequestFigures};
use crate::quantile::quantile;

/// How far a figure is from the nearer end of a measured range, percent of that end; 0 inside.
pub(crate) fn percent_beyond(figure: f64, [low, high]: [f64; 2]) -> f64 {
    100.0 * (figure / figure.clamp(low, high) - 1.0).abs()
}

/// How far a share is from the nearer end of a measured range, points; 0 inside.
pub(crate) fn points_beyond(share: f64, [low, high]: [f64; 2]) -> f64 {
    100.0 * (share - share.clamp(low, high)).abs()
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Metric {
    /// Bytes that a job's processes read or write in a second.
    BytesPerS,
    /// Mean time of a read or write of a job, microseconds.
    MeanUs,
    /// What 99 % of a job's reads or writes do not exceed, microseconds.
    P99Us,
    /// Bytes that all jobs of a file had read from the device: what they found in memory is the rest.
    DeviceBytes,
    /// The share of a job's reads that did not wait for the device, from 0 to 1.
    HitShare,
    /// Bytes that the device was given to write while the jobs of a file ran.
    WrittenBytes,
    /// Those of them that are blocks of the jobs' files.
    WrittenDataBytes,
    /// Those of them that are of the file system's journal.
    WrittenJournalBytes,
    /// All others: the file system's own blocks at their places.
    WrittenMetadataBytes,
}

impl Metric {
    /// Whether it is a time or a rate: those are off in percent of themselves, and parts in percent of their whole.
    fn is_of_times(self) -> bool {
        match self {
            Self::BytesPerS | Self::MeanUs | Self::P99Us => true,
            Self::DeviceBytes
            | Self::HitShare
            | Self::WrittenBytes
            | Self::WrittenDataBytes
            | Self::WrittenJournalBytes
            | Self::WrittenMetadataBytes => false,
        }
    }

    /// Whether it counts in what is said of all figures together. A quantile at 99 % is of few requests, so it has a score of its own.
    #[must_use]
    pub fn is_in_totals(self) -> bool {
        matches!(self, Self::BytesPerS | Self::MeanUs)
    }

    /// Those of bytes to the device: all, and by what they are of.
    pub(crate) const WRITTEN: [Self; 4] = [
        Self::WrittenBytes,
        Self::WrittenDataBytes,
        Self::WrittenJournalBytes,
        Self::WrittenMetadataBytes,
    ];
}

/// A figure, measured and simulated.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Deviation {
    /// The job; of bytes from the device, the job file.
    #[serde(rename = "job")]
    pub subject: String,
    /// Of what: reads, writes or syncs.
    pub operation: Operation,
    /// Which figure.
    pub metric: Metric,
    /// Median of the repeats.
    pub measured: f64,
    /// The least of the repeats.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// What the simulation says.
    pub simulated: f64,
    /// What it is a part of: bytes that the jobs read in all, from memory or not, as simulated, or all reads. Of bytes to the device, what
    /// was measured of their kind, or a hundredth of all of them where that is more.
    #[serde(skip)]
    pub whole: f64,
}

/// A figure of one repeat; nothing where it was not measured.
type Figure = fn(&RequestFigures) -> Option<f64>;

impl Deviation {
    /// Throughput, mean time and 99th percentile of a job's reads, writes or syncs, of which the last have no bytes; nothing where one of
    /// both sides has none.
    pub(crate) fn of_times(
        operation: Operation,
        repeats: &[RequestFigures],
        result: &JobResult,
    ) -> Vec<Self> {
        let mut simulated = result.operations.iter();
        let simulated = simulated.find(|it| it.operation == operation);
        let Some(simulated) = simulated.filter(|_| !repeats.is_empty()) else {
            return Vec::new();
        };
        let figures: [(Metric, Figure, f64); 3] = [
            (
                Metric::BytesPerS,
                |it| Some(it.bytes_per_s),
                simulated.bytes_per_s,
            ),
            (Metric::MeanUs, |it| Some(it.mean_us), simulated.mean_us),
            (Metric::P99Us, |it| it.p99_us, simulated.p99_us),
        ];
        let of = |(metric, figure, simulated): (Metric, Figure, f64)| {
            let values: Option<Vec<f64>> = repeats.iter().map(figure).collect();
            let name = &result.outcome.name;
            Some(Self::of(name, operation, metric, values?, (simulated, 1.0)))
        };
        let has_bytes = operation != Operation::Fsync;
        let own = figures.into_iter();
        let own = own.filter(|(metric, ..)| has_bytes || *metric != Metric::BytesPerS);
        own.filter_map(of).collect()
    }

    /// Hits of a job; nothing where times do not tell.
    pub(crate) fn of_hits(repeats: &[RequestFigures], result: &JobResult) -> Option<Self> {
        let values: Vec<f64> = repeats
            .iter()
            .map(|it| it.hit_share)
            .collect::<Option<_>>()?;
        let total = &result.outcome.total;
        let simulated = total.hits? as f64 / total.requests.filter(|&it| it > 0)? as f64;
        let (name, metric) = (&result.outcome.name, Metric::HitShare);
        (!values.is_empty())
            .then(|| Self::of(name, Operation::Read, metric, values, (simulated, 1.0)))
    }

    /// What a job file had read from the device; nothing where it only writes.
    pub(crate) fn of_device(file: &str, repeats: &[u64], results: &[JobResult]) -> Option<Self> {
        let values = repeats.iter().map(|&bytes| bytes as f64).collect();
        let simulated = results.iter().map(|it| it.device_bytes as f64).sum();
        let operations = results.iter().flat_map(|it| &it.operations);
        let reads: Vec<&OperationResult> = operations
            .filter(|it| it.operation == Operation::Read)
            .collect();
        let read = reads.iter().map(|it| it.bytes).sum::<u64>() as f64;
        let (operation, metric) = (Operation::Read, Metric::DeviceBytes);
        (!reads.is_empty()).then(|| Self::of(file, operation, metric, values, (simulated, read)))
    }

    /// What the jobs of a file had the device write, in all and by what it is of; nothing where that was not told, and no kind of which both
    /// sides have none.
    pub(crate) fn of_written(
        file: &str,
        repeats: &[DeviceWrites],
        results: &[JobResult],
    ) -> Vec<Self> {
        let simulated = results.iter().map(|it| it.device_written_bytes);
        let simulated = simulated.map(|it| DeviceWrites {
            data: it.data,
            journal: it.journal,
            metadata: it.metadata,
        });
        let simulated: Vec<DeviceWrites> = simulated.collect();
        let mut all: Vec<f64> = repeats.iter().map(|it| it.all() as f64).collect();
        all.sort_unstable_by(f64::total_cmp);
        let Some(least) = quantile(&all, 0.5).map(|bytes| bytes / 100.0) else {
            return Vec::new();
        };
        let kinds: [fn(&DeviceWrites) -> u64; 4] = [
            |it| it.all(),
            |it| it.data,
            |it| it.journal,
            |it| it.metadata,
        ];
        let of = |(metric, bytes): (Metric, fn(&DeviceWrites) -> u64)| {
            let values = repeats.iter().map(|it| bytes(it) as f64).collect();
            let simulated = simulated.iter().map(bytes).sum::<u64>() as f64;
            let own = Self::of(file, Operation::Write, metric, values, (simulated, 1.0));
            let whole = own.measured.max(least);
            Self { whole, ..own }
        };
        let all = Metric::WRITTEN.into_iter().zip(kinds).map(of);
        all.filter(|it| it.high > 0.0 || it.simulated > 0.0)
            .collect()
    }

    fn of(
        subject: &str,
        operation: Operation,
        metric: Metric,
        mut values: Vec<f64>,
        (simulated, whole): (f64, f64),
    ) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let at = |share| quantile(&values, share).unwrap_or(0.0);
        Self {
            subject: subject.to_owned(),
            operation,
            metric,
            measured: at(0.5),
            low: at(0.0),
            high: at(1.0),
            simulated,
            whole,
        }
    }

    /// How far the simulation is above the median, below it with a minus. Of times, percent of the median. Of parts, percent of the whole, as
    /// [`Deviation::beyond_percent`].
    #[must_use]
    pub fn error_percent(&self) -> f64 {
        match self.metric.is_of_times() {
            true => 100.0 * (self.simulated / self.measured - 1.0),
            false => 100.0 * (self.simulated - self.measured) / self.whole.max(1.0),
        }
    }

    /// How far it is from the nearer end of the interval; 0 inside. Of times, percent of that end: this is the score. Of parts, percent
    /// of the whole: a job may well read nothing from the device, or have no hit.
    #[must_use]
    pub fn beyond_percent(&self) -> f64 {
        let range = [self.low, self.high];
        match self.metric.is_of_times() {
            true => percent_beyond(self.simulated, range),
            false => points_beyond(self.simulated, range) / self.whole.max(1.0),
        }
    }
}

/// How far several figures are off, in all.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ErrorSummary {
    /// Figures.
    pub figures: usize,
    /// Median of the errors without their signs.
    pub median_percent: f64,
    /// Their 90th percentile.
    pub p90_percent: f64,
    /// The lowest error, with its sign: below 0 where the simulation says less than was measured.
    pub lowest_percent: f64,
    /// The highest error, with its sign.
    pub highest_percent: f64,
    /// Median of the errors beyond the measured range.
    pub median_beyond_percent: f64,
    /// Their 90th percentile.
    pub p90_beyond_percent: f64,
}

impl ErrorSummary {
    /// Of those figures; nothing of none. One of which the median is 0 has no error in percent, and counts beyond the range alone.
    pub fn of<'d>(figures: impl IntoIterator<Item = &'d Deviation>) -> Option<Self> {
        let figures: Vec<&Deviation> = figures.into_iter().collect();
        let errors = figures.iter().map(|it| it.error_percent());
        let errors = sorted(errors.filter(|it| it.is_finite()));
        let sizes = sorted(errors.iter().map(|it| it.abs()));
        let beyond = sorted(figures.iter().map(|it| it.beyond_percent()));
        Some(Self {
            figures: figures.len(),
            median_percent: quantile(&sizes, 0.5)?,
            p90_percent: quantile(&sizes, 0.9)?,
            lowest_percent: *errors.first()?,
            highest_percent: *errors.last()?,
            median_beyond_percent: quantile(&beyond, 0.5)?,
            p90_beyond_percent: quantile(&beyond, 0.9)?,
        })
    }
}

fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values
}
