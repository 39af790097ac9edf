//! A figure of a job, measured and simulated.

use hotset_models::fio::JobResult;

use super::fio::Measured;

/// What of a job is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Metric {
    /// Bytes that its processes read in a second.
    BytesPerS,
    /// Mean time of a read, microseconds.
    MeanUs,
}

impl Metric {
    /// All.
    pub const ALL: [Self; 2] = [Self::BytesPerS, Self::MeanUs];

    /// As documents write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::BytesPerS => "bytes_per_s",
            Self::MeanUs => "mean_us",
        }
    }

    fn measured(self, figures: &Measured) -> f64 {
        match self {
            Self::BytesPerS => figures.bytes_per_s,
            Self::MeanUs => figures.mean_us,
        }
    }

    fn simulated(self, result: &JobResult) -> f64 {
        match self {
            Self::BytesPerS => result.bytes_per_s,
            Self::MeanUs => result.outcome.total.mean_us().unwrap_or(0.0),
        }
    }
}

/// A figure of a job, measured and simulated.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The job.
    pub job: String,
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
}

impl Cell {
    pub(crate) fn of(metric: Metric, repeats: &[Measured], result: &JobResult) -> Self {
        let mut values: Vec<f64> = repeats.iter().map(|it| metric.measured(it)).collect();
        values.sort_unstable_by(f64::total_cmp);
        Self {
            job: result.outcome.name.clone(),
            metric,
            measured: quantile(&values, 0.5).unwrap_or(0.0),
            low: quantile(&values, 0.0).unwrap_or(0.0),
            high: quantile(&values, 1.0).unwrap_or(0.0),
            simulated: metric.simulated(result),
        }
    }

    /// How far the simulation is from the median, percent of it.
    #[must_use]
    pub fn error_percent(&self) -> f64 {
        100.0 * (self.simulated / self.measured - 1.0)
    }

    /// How far it is from the nearer end of the interval, percent of that; 0 inside. This is the score.
    #[must_use]
    pub fn beyond_percent(&self) -> f64 {
        let nearest = self.simulated.clamp(self.low, self.high);
        100.0 * (self.simulated / nearest - 1.0).abs()
    }
}

/// The median of values in any order; nothing of none.
pub(crate) fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut sorted: Vec<f64> = values.collect();
    sorted.sort_unstable_by(f64::total_cmp);
    quantile(&sorted, 0.5)
}

/// The `share`-quantile of sorted values, between neighbours linearly; nothing of none.
#[must_use]
pub fn quantile(sorted: &[f64], share: f64) -> Option<f64> {
    let position = share * sorted.len().checked_sub(1)? as f64;
    let (below, part) = (position.floor() as usize, position.fract());
    let above = (below + 1).min(sorted.len() - 1);
    Some(sorted[below] * (1.0 - part) + sorted[above] * part)
}
