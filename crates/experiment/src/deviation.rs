//! How far figures of jobs are off, measured and simulated.

use hotset_models::fio::JobResult;
use serde::Serialize;

use crate::fio::ReadFigures;
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
    /// Bytes that a job's processes read in a second.
    BytesPerS,
    /// Mean time of a read of a job, microseconds.
    MeanUs,
    /// Bytes that all jobs of a file had read from the device: what they found in memory is the rest.
    DeviceBytes,
    /// The share of a job's reads that did not wait for the device, from 0 to 1.
    HitShare,
}

/// A figure, measured and simulated.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Deviation {
    /// The job; of bytes from the device, the job file.
    #[serde(rename = "job")]
    pub subject: String,
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
    /// What it is a part of: bytes that the jobs read in all, from memory or not, as simulated, or all reads.
    #[serde(skip)]
    pub whole: f64,
}

impl Deviation {
    /// Throughput and mean time of a job.
    pub(crate) fn of_times(repeats: &[ReadFigures], result: &JobResult) -> [Self; 2] {
        let of = |metric, figure: fn(&ReadFigures) -> f64, simulated| {
            let values = repeats.iter().map(figure).collect();
            Self::of(&result.outcome.name, metric, values, (simulated, 1.0))
        };
        let mean_us = result.outcome.total.mean_us().unwrap_or(0.0);
        [
            of(Metric::BytesPerS, |it| it.bytes_per_s, result.bytes_per_s),
            of(Metric::MeanUs, |it| it.mean_us, mean_us),
        ]
    }

    /// Hits of a job; nothing where times do not tell.
    pub(crate) fn of_hits(repeats: &[ReadFigures], result: &JobResult) -> Option<Self> {
        let values: Vec<f64> = repeats
            .iter()
            .map(|it| it.hit_share)
            .collect::<Option<_>>()?;
        let total = &result.outcome.total;
        let simulated = total.hits? as f64 / total.requests.filter(|&it| it > 0)? as f64;
        let (name, metric) = (&result.outcome.name, Metric::HitShare);
        (!values.is_empty()).then(|| Self::of(name, metric, values, (simulated, 1.0)))
    }

    /// What a job file had read from the device.
    pub(crate) fn of_device(file: &str, repeats: &[u64], results: &[JobResult]) -> Self {
        let values = repeats.iter().map(|&bytes| bytes as f64).collect();
        let simulated = results.iter().map(|it| it.device_bytes as f64).sum();
        let read = results.iter().filter_map(|it| it.outcome.total.bytes);
        let read = read.sum::<u64>() as f64;
        Self::of(file, Metric::DeviceBytes, values, (simulated, read))
    }

    fn of(
        subject: &str,
        metric: Metric,
        mut values: Vec<f64>,
        (simulated, whole): (f64, f64),
    ) -> Self {
        values.sort_unstable_by(f64::total_cmp);
        let at = |share| quantile(&values, share).unwrap_or(0.0);
        Self {
            subject: subject.to_owned(),
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
        match self.metric {
            Metric::BytesPerS | Metric::MeanUs => 100.0 * (self.simulated / self.measured - 1.0),
            Metric::DeviceBytes | Metric::HitShare => {
                100.0 * (self.simulated - self.measured) / self.whole.max(1.0)
            }
        }
    }

    /// How far it is from the nearer end of the interval; 0 inside. Of times, percent of that end: this is the score. Of parts, percent
    /// of the whole: a job may well read nothing from the device, or have no hit.
    #[must_use]
    pub fn beyond_percent(&self) -> f64 {
        let range = [self.low, self.high];
        match self.metric {
            Metric::BytesPerS | Metric::MeanUs => percent_beyond(self.simulated, range),
            Metric::DeviceBytes | Metric::HitShare => {
                points_beyond(self.simulated, range) / self.whole.max(1.0)
            }
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
