//! A hit ratio estimated from samples of the files.

use anyhow::{Context, Result};
use hotset_cache::log_points;
use hotset_cache::shards::{self, Sampling, sampled_curve};
use hotset_outcome::Interval;
use hotset_report::{SampledPoint, SampledScanView, Samples};
use hotset_trace::folder;
use hotset_trace::read::ReadSummary;

use super::args::Args;
use super::cache::{Cache, accessed_bytes};
use crate::output;

/// Samples drawn: the least and the greatest of six are an interval of 96.9 %.
const SAMPLES: usize = 6;

/// Memories of the curve besides the asked one, and the smallest of them as a part of all objects.
const CURVE_POINTS: usize = 8;
const SMALLEST_PART: u64 = 1000;

/// Prints what a cache would hit, from `share` of the files.
pub fn print(
    args: &Args,
    accesses: &folder::Accesses,
    reading: ReadSummary,
    cache: Cache,
    share: f64,
) -> Result<()> {
    output::print_view(&sample(args, accesses, reading, cache, share)?, args.json)
}

fn sample(
    args: &Args,
    accesses: &folder::Accesses,
    reading: ReadSummary,
    cache: Cache,
    share: f64,
) -> Result<SampledScanView> {
    let sampling = Sampling {
        rate: share,
        salts: SAMPLES,
        seed: args.seed,
    };
    let unit = cache.unit;
    let (asked, all) = (
        unit.of_capacity(cache.memory_bytes),
        unit.of_capacity(accessed_bytes(accesses)),
    );
    let mut points = log_points(all / SMALLEST_PART, all, CURVE_POINTS);
    points.push(asked);
    let sizes = unit.of_sizes(&accesses.sizes);
    let curve = sampled_curve(&accesses.objects, &sizes, &points, sampling)?;
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
    let at_asked = sampled.find(|point| point.size == asked);
    let at_asked = hits(at_asked.context("a curve has the points it is taken at")?);
    Ok(SampledScanView {
        policy: args.policy.to_string(),
        unit: unit.name().into(),
        memory_bytes: cache.memory_bytes,
        requests: accesses.objects.len() as u64,
        hit_ratio: at_asked.hit_ratio,
        hit_ratio_interval: at_asked.hit_ratio_interval,
        sampled: Samples {
            file_share: share,
            samples: SAMPLES,
            seed: args.seed,
        },
        curve: curve.points.iter().map(hits).collect(),
        reading,
        time_zone: args.zone.time_zone.clone(),
    })
}
