//! What a stream of requests cost.

use hdrhistogram::Histogram;
use serde::{Serialize, Serializer, ser::SerializeStruct};

use crate::CostSeries;

/// Significant digits kept by the latency histogram: three, within 0.1 %, as HdrHistogram's own tools do.
const HISTOGRAM_DIGITS: u8 = 3;

/// Requests, hits, bytes and mean response of a site or of all sites.
///
/// Serialises to `requests`, `hits`, `bytes`, `hit_bytes`, `mean_us`, `hit_ratio`, `byte_hit_ratio`
/// and, where a histogram was kept, `latency_us`. Ratios and means of nothing are `null`.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Requests served.
    pub requests: u64,
    /// Requests served from memory.
    pub hits: u64,
    /// Bytes served.
    pub bytes: u64,
    /// Bytes served from memory.
    pub hit_bytes: u64,
    /// Sum of the responses, microseconds.
    pub total_us: f64,
    histogram: Option<Histogram<u64>>,
    series: Option<CostSeries>,
}

/// Quantiles of the response in whole microseconds, within 0.1 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LatencyQuantiles {
    /// Median.
    pub p50: u64,
    /// 90th percentile.
    pub p90: u64,
    /// 99th percentile.
    pub p99: u64,
    /// 99.9th percentile.
    pub p999: u64,
    /// Longest.
    pub max: u64,
}

impl Score {
    /// An empty score that also keeps a latency histogram and the costs in time order, which
    /// [`crate::compare`] needs for intervals.
    pub fn detailed() -> Self {
        Self {
            histogram: Histogram::new(HISTOGRAM_DIGITS).ok(),
            series: Some(CostSeries::default()),
            ..Self::default()
        }
    }

    /// Counts one request of `bytes` that took `us` microseconds.
    pub fn record(&mut self, hit: bool, bytes: u64, us: f64) {
        self.requests += 1;
        self.bytes += bytes;
        if hit {
            self.hits += 1;
            self.hit_bytes += bytes;
        }
        self.total_us += us;
        if let Some(histogram) = &mut self.histogram {
            histogram.saturating_record(us.round() as u64);
        }
        if let Some(series) = &mut self.series {
            series.push(us);
        }
    }

    /// Mean response in microseconds; `None` without requests.
    pub fn mean_us(&self) -> Option<f64> {
        (self.requests > 0).then(|| self.total_us / self.requests as f64)
    }

    /// Hits / requests; `None` without requests.
    pub fn hit_ratio(&self) -> Option<f64> {
        (self.requests > 0).then(|| self.hits as f64 / self.requests as f64)
    }

    /// Hit bytes / bytes; `None` without bytes.
    pub fn byte_hit_ratio(&self) -> Option<f64> {
        (self.bytes > 0).then(|| self.hit_bytes as f64 / self.bytes as f64)
    }

    /// Quantiles of the response, where a histogram was kept.
    pub fn latency_us(&self) -> Option<LatencyQuantiles> {
        let histogram = self.histogram.as_ref().filter(|_| self.requests > 0)?;
        Some(LatencyQuantiles {
            p50: histogram.value_at_quantile(0.5),
            p90: histogram.value_at_quantile(0.9),
            p99: histogram.value_at_quantile(0.99),
            p999: histogram.value_at_quantile(0.999),
            max: histogram.max(),
        })
    }

    /// The costs in time order, where they were kept.
    pub fn series(&self) -> Option<&CostSeries> {
        self.series.as_ref()
    }
}

impl Serialize for Score {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let latency = self.latency_us();
        let mut fields =
            serializer.serialize_struct("Score", 7 + usize::from(latency.is_some()))?;
        fields.serialize_field("requests", &self.requests)?;
        fields.serialize_field("hits", &self.hits)?;
        fields.serialize_field("bytes", &self.bytes)?;
        fields.serialize_field("hit_bytes", &self.hit_bytes)?;
        fields.serialize_field("mean_us", &self.mean_us())?;
        fields.serialize_field("hit_ratio", &self.hit_ratio())?;
        fields.serialize_field("byte_hit_ratio", &self.byte_hit_ratio())?;
        if let Some(latency) = latency {
            fields.serialize_field("latency_us", &latency)?;
        }
        fields.end()
    }
}
