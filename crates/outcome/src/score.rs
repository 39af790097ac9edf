//! What a stream of requests cost.

use serde::{Deserialize, Serialize};

use crate::{Distribution, Latencies, LatencyKind, Timeline};

/// Requests, hits, bytes and times of a group of requests or of all. What is not known is absent.
///
/// Serialises with `mean_us`, `hit_ratio` and `byte_hit_ratio` beside, `null` where they are not known.
/// A document may give `mean_us` in place of `latencies`: it is then the mean of `response`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(from = "Written", into = "Written")]
pub struct Score {
    /// Requests answered.
    pub requests: Option<u64>,
    /// Requests that failed; not among requests.
    pub errors: Option<u64>,
    /// Requests served from memory.
    pub hits: Option<u64>,
    /// Bytes served.
    pub bytes: Option<u64>,
    /// Bytes served from memory.
    pub hit_bytes: Option<u64>,
    /// Requests answered in a second.
    pub throughput_per_s: Option<f64>,
    /// Times of the requests; those not taken are left out.
    pub latencies: Latencies,
    /// Its requests, errors and bytes over time.
    pub timeline: Option<Timeline>,
}

impl Score {
    /// What stands for the response: the model's, else request sent to last byte, else what there is.
    pub fn response(&self) -> Option<(LatencyKind, &Distribution)> {
        self.latencies.iter().next()
    }

    /// Mean of the response in microseconds.
    pub fn mean_us(&self) -> Option<f64> {
        self.response()?.1.mean_us
    }

    /// Hits / requests.
    pub fn hit_ratio(&self) -> Option<f64> {
        ratio(self.hits?, self.requests?)
    }

    /// Hit bytes / bytes.
    pub fn byte_hit_ratio(&self) -> Option<f64> {
        ratio(self.hit_bytes?, self.bytes?)
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A score as documents have it.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Written {
    /// Requests answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    requests: Option<u64>,
    /// Requests that failed; not among requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    errors: Option<u64>,
    /// Requests served from memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hits: Option<u64>,
    /// Bytes served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bytes: Option<u64>,
    /// Bytes served from memory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hit_bytes: Option<u64>,
    /// Requests answered in a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    throughput_per_s: Option<f64>,
    /// Mean of response, else of total, else of what there is, microseconds; null where not known.
    #[serde(default)]
    mean_us: Option<f64>,
    /// Hits / requests, 0 to 1; null where not known.
    #[serde(default, skip_deserializing)]
    hit_ratio: Option<f64>,
    /// Hit_bytes / bytes, 0 to 1; null where not known.
    #[serde(default, skip_deserializing)]
    byte_hit_ratio: Option<f64>,
    /// Times of the requests; those not taken are left out.
    #[serde(default, skip_serializing_if = "Latencies::is_empty")]
    latencies: Latencies,
    /// Its requests, errors and bytes over time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timeline: Option<Timeline>,
}

impl From<Score> for Written {
    fn from(score: Score) -> Written {
        Written {
            mean_us: score.mean_us(),
            hit_ratio: score.hit_ratio(),
            byte_hit_ratio: score.byte_hit_ratio(),
            requests: score.requests,
            errors: score.errors,
            hits: score.hits,
            bytes: score.bytes,
            hit_bytes: score.hit_bytes,
            throughput_per_s: score.throughput_per_s,
            latencies: score.latencies,
            timeline: score.timeline,
        }
    }
}

impl From<Written> for Score {
    fn from(written: Written) -> Score {
        let mut latencies = written.latencies;
        if latencies.is_empty() {
            latencies.response = written.mean_us.map(Distribution::of_mean);
        }
        Score {
            requests: written.requests,
            errors: written.errors,
            hits: written.hits,
            bytes: written.bytes,
            hit_bytes: written.hit_bytes,
            throughput_per_s: written.throughput_per_s,
            latencies,
            timeline: written.timeline,
        }
    }
}
