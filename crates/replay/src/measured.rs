//! What was measured of a group of requests.

use hdrhistogram::Histogram;
use hotset_outcome::{CostSeries, Distribution, HISTOGRAM_DIGITS, Latencies};

use crate::{ErrorCounts, ErrorKind};

/// Times of many requests.
#[derive(Clone, Debug)]
pub struct Latency {
    histogram: Histogram<u64>,
    sum_us: f64,
    series: CostSeries,
}

impl Default for Latency {
    fn default() -> Self {
        Self {
            histogram: empty_histogram(),
            sum_us: 0.0,
            series: CostSeries::default(),
        }
    }
}

/// A histogram of microseconds that grows with its values.
pub(crate) fn empty_histogram() -> Histogram<u64> {
    match Histogram::new(HISTOGRAM_DIGITS) {
        Ok(histogram) => histogram,
        Err(_) => unreachable!("three digits are within the library's range of 0 to 5"),
    }
}

/// Longest time that a histogram tells from longer ones: twelve days, far beyond any timeout.
const MAX_US: u64 = 1 << 40;

/// Adds a time. Not by `saturating_record`, which bends values to the histogram's present range instead of
/// letting it grow.
pub(crate) fn record_us(histogram: &mut Histogram<u64>, us: u64) {
    let recorded = histogram.record(us.min(MAX_US));
    debug_assert!(recorded.is_ok(), "a histogram that grows takes every value");
}

/// Adds the times of another histogram.
pub(crate) fn merge_histogram(histogram: &mut Histogram<u64>, other: &Histogram<u64>) {
    let merged = histogram.add(other);
    debug_assert!(merged.is_ok(), "a histogram that grows takes every other");
}

impl Latency {
    /// Adds times of requests that another thread sent meanwhile.
    pub(crate) fn merge(&mut self, other: &Latency) {
        merge_histogram(&mut self.histogram, &other.histogram);
        self.sum_us += other.sum_us;
        self.series = CostSeries::interleaved(&self.series, &other.series);
    }

    /// Adds one time in nanoseconds.
    pub(crate) fn record_ns(&mut self, ns: u64) {
        let us = ns as f64 / 1000.0;
        record_us(&mut self.histogram, ns.saturating_add(500) / 1000);
        self.sum_us += us;
        self.series.push(us);
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

    /// The time in microseconds that `share` (0 to 1) of the times do not exceed; `None` without times.
    pub fn quantile_us(&self, share: f64) -> Option<u64> {
        (self.count() > 0).then(|| self.histogram.value_at_quantile(share))
    }

    /// The times in microseconds in the order in which the requests ended.
    pub fn series(&self) -> &CostSeries {
        &self.series
    }

    /// As outcomes have it.
    pub fn distribution(&self) -> Distribution {
        let distribution = Distribution::of(&self.histogram).with_series(self.series.clone());
        match self.mean_us() {
            Some(mean_us) => distribution.with_mean(mean_us),
            None => distribution,
        }
    }
}

/// What was measured of a group of requests: all, those of a site, or those of a size class.
///
/// Every recorded request is counted once in `requests`; it failed if it is among `errors`. Times are
/// those of requests that did not fail.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Requests that ended, with a response or an error.
    pub requests: u64,
    /// Those that failed, by kind.
    pub errors: ErrorCounts,
    /// Responses without error whose body's length is not the expected one.
    pub wrong_length: u64,
    /// Bytes of bodies received, those of failed requests included.
    pub bytes: u64,
    /// Opening a connection, TLS included. One value for each connection that was opened.
    pub connect: Latency,
    /// From sending a request on an open connection to the first byte of its response.
    pub first_byte: Latency,
    /// From the time at which a request was due to the last byte of its response.
    pub from_intended: Latency,
    /// From sending a request to the last byte of its response.
    pub total: Latency,
}

impl Measured {
    /// Requests that got a response without error.
    pub fn answered(&self) -> u64 {
        self.requests - self.errors.total()
    }

    /// The times as outcomes have them.
    pub fn latencies(&self) -> Latencies {
        Latencies {
            connect: Some(self.connect.distribution()),
            first_byte: Some(self.first_byte.distribution()),
            from_intended: Some(self.from_intended.distribution()),
            total: Some(self.total.distribution()),
            response: None,
        }
    }

    /// Adds what another thread measured.
    pub(crate) fn merge(&mut self, other: &Measured) {
        self.requests += other.requests;
        self.errors.merge(&other.errors);
        self.wrong_length += other.wrong_length;
        self.bytes += other.bytes;
        self.connect.merge(&other.connect);
        self.first_byte.merge(&other.first_byte);
        self.from_intended.merge(&other.from_intended);
        self.total.merge(&other.total);
    }

    /// Counts a failed request.
    pub(crate) fn fail(&mut self, kind: ErrorKind, bytes: u64) {
        self.requests += 1;
        self.errors.add(kind);
        self.bytes += bytes;
    }
}
