//! How long something took, over many requests.

use hdrhistogram::Histogram;
use serde::{Deserialize, Serialize};

use crate::{CostSeries, Interval};

/// A distribution of times in microseconds.
///
/// Measurements and simulations have all of it, published figures often a mean alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Distribution {
    /// Number of values.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<u64>,
    /// Mean, exact: not from the histogram.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_us: Option<f64>,
    /// Interval of the mean, where it was estimated where the values were taken. With a `series`
    /// there is no need for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_interval: Option<Interval>,
    /// Median.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_us: Option<f64>,
    /// 95th percentile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_us: Option<f64>,
    /// 99th percentile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99_us: Option<f64>,
    /// Longest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_us: Option<f64>,
    /// Values and how many there are of each, ascending: the filled buckets of an HDR histogram of three
    /// significant digits, each by its largest value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub histogram: Vec<(u64, u64)>,
    /// The values in the order of the requests, for intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub series: Option<CostSeries>,
}

impl Distribution {
    /// From a histogram of microseconds; the mean is the histogram's, within its precision, unless
    /// [`Distribution::with_mean`] gives it exactly. Nothing but a count of 0 from an empty one.
    pub fn of(histogram: &Histogram<u64>) -> Distribution {
        let count = histogram.len();
        let some = |value: f64| (count > 0).then_some(value);
        let quantile = |share: f64| some(histogram.value_at_quantile(share) as f64);
        let buckets = histogram.iter_recorded();
        Distribution {
            count: Some(count),
            mean_us: some(histogram.mean()),
            mean_interval: None,
            p50_us: quantile(0.5),
            p95_us: quantile(0.95),
            p99_us: quantile(0.99),
            max_us: some(histogram.max() as f64),
            histogram: buckets
                .map(|bucket| (bucket.value_iterated_to(), bucket.count_at_value()))
                .collect(),
            series: None,
        }
    }

    /// A mean and nothing else, as published figures often are.
    pub fn of_mean(mean_us: f64) -> Distribution {
        Distribution {
            mean_us: Some(mean_us),
            ..Distribution::default()
        }
    }

    /// The same with the exact mean of its values.
    pub fn with_mean(mut self, mean_us: f64) -> Distribution {
        self.mean_us = (self.count != Some(0)).then_some(mean_us);
        self
    }

    /// The same with its values in the order of the requests.
    pub fn with_series(mut self, series: CostSeries) -> Distribution {
        self.series = Some(series);
        self
    }

    /// Share of the values of at most `us` microseconds, where there is a histogram.
    pub(crate) fn share_within(&self, us: f64) -> Option<f64> {
        let all: u64 = self.histogram.iter().map(|bucket| bucket.1).sum();
        let within = self.histogram.iter().filter(|bucket| bucket.0 as f64 <= us);
        let within: u64 = within.map(|bucket| bucket.1).sum();
        (all > 0).then(|| within as f64 / all as f64)
    }

    /// (value in microseconds, share of the values of at most that), ascending; empty without a histogram.
    pub fn cumulative(&self) -> Vec<(f64, f64)> {
        let all: u64 = self.histogram.iter().map(|bucket| bucket.1).sum();
        let mut seen = 0;
        let buckets = self.histogram.iter();
        buckets
            .map(|&(us, count)| {
                seen += count;
                (us as f64, seen as f64 / all as f64)
            })
            .collect()
    }
}
