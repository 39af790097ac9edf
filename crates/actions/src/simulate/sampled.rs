//! A hit ratio estimated from samples of the files, drawn by hash.

use hotset_cache::shards::{self, Sampling, sampled_curve};
use hotset_cache::{Stop, log_points};
use hotset_outcome::Interval;
use hotset_report::{DrawnBy, SampledPoint, SampledScanView, Samples};
use hotset_trace::folder;
use hotset_trace::read::ReadSummary;

use super::cache::{Cache, accessed_bytes};
use super::options::Options;
use crate::JobError;
use crate::error::refused;

/// Samples drawn: the least and the greatest of six are an interval of 96.9 %.
const SAMPLES: usize = 6;

/// Memories of the curve besides the asked one, and the smallest of them as a part of all objects.
const CURVE_POINTS: usize = 8;
const SMALLEST_PART: u64 = 1000;

/// What `cache` would hit, from `share` of the files.
pub(super) fn sample(
    asked: &Options,
    accesses: &folder::Accesses,
    reading: ReadSummary,
    cache: Cache,
    share: f64,
    stop: Option<&Stop>,
) -> Result<SampledScanView, JobError> {
    let sampling = Sampling {
        rate: share,
        salts: SAMPLES,
        seed: asked.seed,
    };
    let unit = cache.unit;
    let (wanted, all) = (
        unit.of_capacity(cache.memory_bytes),
        unit.of_capacity(accessed_bytes(accesses)),
    );
    let mut points = log_points(all / SMALLEST_PART, all, CURVE_POINTS);
    points.push(wanted);
    let sizes = unit.of_sizes(&accesses.sizes);
    let curve = sampled_curve(&accesses.objects, &sizes, &points, sampling, stop)?;
    let hits = |point: &shards::SampledPoint| SampledPoint {
        memory_bytes: point.size * unit.bytes(),
        hit_ratio: 1.0 - point.miss_ratio,
        hit_ratio_interval: Interval {
            low: 1.0 - point.high,
            high: 1.0 - point.low,
            level: curve.level,
        },
    };
    let mut sampled = curve.points.iter();
    let at_asked = sampled.find(|point| point.size == wanted);
    let missing = || refused("a curve lacks a point that it was taken at");
    let at_asked = hits(at_asked.ok_or_else(missing)?);
    Ok(SampledScanView {
        policy: cache.policy.to_string(),
        unit: unit.name().into(),
        memory_bytes: cache.memory_bytes,
        requests: accesses.objects.len() as u64,
        hit_ratio: at_asked.hit_ratio,
        hit_ratio_interval: at_asked.hit_ratio_interval,
        sampled: Samples {
            file_share: share,
            samples: SAMPLES,
            seed: asked.seed,
            drawn_by: DrawnBy::Hash,
            access_share: None,
            files_held: None,
        },
        curve: curve.points.iter().map(hits).collect(),
        reading,
        time_zone: asked.time_zone.clone(),
    })
}
