//! Times of many requests, in order.

use hdrhistogram::Histogram;

use crate::{CostSeries, Distribution};

/// Significant digits of the histograms: three, within 0.1 %, as HdrHistogram's own tools do.
const HISTOGRAM_DIGITS: u8 = 3;

/// A histogram of microseconds that grows with its values.
pub fn empty_histogram() -> Histogram<u64> {
    match Histogram::new(HISTOGRAM_DIGITS) {
        Ok(histogram) => histogram,
        Err(_) => unreachable!("three digits are within the library's range of 0 to 5"),
    }
}

/// Adds `us` to a histogram that grows with its values.
///
/// Not by `saturating_record`, which bends values to the histogram's first range, which ends at 2047.
#[inline]
pub fn add_to_histogram(histogram: &mut Histogram<u64>, us: u64) {
    let recorded = histogram.record(us);
    debug_assert!(recorded.is_ok(), "a histogram that grows takes every value");
}

/// Times of many requests: their histogram, their exact mean, and their order for intervals.
#[derive(Clone, Debug)]
pub struct Times {
    histogram: Histogram<u64>,
    sum_us: f64,
    series: CostSeries,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            histogram: empty_histogram(),
            sum_us: 0.0,
            series: CostSeries::default(),
        }
    }
}

impl Times {
    /// Adds the time of the next request, microseconds.
    pub fn record(&mut self, us: f64) {
        add_to_histogram(&mut self.histogram, us.round() as u64);
        self.sum_us += us;
        self.series.push(us);
    }

    /// Adds times of requests that were served meanwhile.
    pub fn merge(&mut self, other: &Times) {
        self.histogram += &other.histogram;
        self.sum_us += other.sum_us;
        self.series = CostSeries::interleaved(&self.series, &other.series);
    }

    /// Microseconds, within 0.1 %.
    pub fn histogram(&self) -> &Histogram<u64> {
        &self.histogram
    }

    /// Number of times.
    pub fn count(&self) -> u64 {
        self.histogram.len()
    }

    /// The exact mean, microseconds; `None` without times.
    pub fn mean_us(&self) -> Option<f64> {
        (self.count() > 0).then(|| self.sum_us / self.count() as f64)
    }

    /// The times in microseconds in the order in which they were recorded.
    pub fn series(&self) -> &CostSeries {
        &self.series
    }

    /// As outcomes have it.
    pub fn distribution(&self) -> Distribution {
        Distribution {
            mean_us: self.mean_us(),
            ..Distribution::of(&self.histogram).with_series(self.series.clone())
        }
    }
}
