//! Hit ratios and mean response estimated from samples of the files, drawn by importance.

use hotset_cache::importance::{Estimate, LEVEL, SAMPLES, Scan, sampled_misses};
use hotset_cache::{Counts, Stop};
use hotset_outcome::Interval;
use hotset_plan::{miss_penalty_us, scan_mean_us};
use hotset_report::{DrawnBy, EstimatedScanView, Samples};
use hotset_scenario::Profile;
use hotset_trace::folder::Accesses;
use hotset_trace::read::ReadSummary;

use super::cache::Cache;
use super::options::Options;
use crate::JobError;

/// What `cache` would hit, and how fast it would answer, from `share` of the files.
pub(super) fn estimate(
    asked: &Options,
    accesses: &Accesses,
    reading: ReadSummary,
    cache: Cache,
    profile: Profile,
    share: f64,
    stop: Option<&Stop>,
) -> Result<EstimatedScanView, JobError> {
    let sizes = cache.unit.of_sizes(&accesses.sizes);
    let bytes: Vec<f64> = accesses.sizes.iter().map(|&size| size as f64).collect();
    let penalties = accesses.sizes.iter();
    let penalties: Vec<f64> = penalties
        .map(|&size| miss_penalty_us(&profile, size))
        .collect();
    let scan = Scan {
        capacity: cache.unit.of_capacity(cache.memory_bytes),
        requests: &accesses.objects,
        sizes: &sizes,
        weights: [&bytes, &penalties],
        stop,
    };
    let misses = sampled_misses(&scan, share, asked.seed)?;
    let all = all_hits(accesses);
    let requests = all.requests.max(1) as f64;
    let (hit_ratio, hit_ratio_interval) = hits(misses.requests, requests);
    let (byte_hit_ratio, byte_hit_ratio_interval) =
        hits(misses.weights[0], all.bytes.max(1) as f64);
    let mean_us = |penalty_us: f64| scan_mean_us(&all, &profile) + penalty_us / requests;
    let penalty_us = misses.weights[1];
    Ok(EstimatedScanView {
        policy: cache.policy.to_string(),
        unit: cache.unit.name().into(),
        memory_bytes: cache.memory_bytes,
        requests: all.requests,
        hit_ratio,
        hit_ratio_interval,
        byte_hit_ratio,
        byte_hit_ratio_interval,
        mean_us: mean_us(penalty_us.value),
        mean_us_interval: interval(mean_us(penalty_us.low), mean_us(penalty_us.high)),
        sampled: Samples {
            file_share: share,
            samples: SAMPLES,
            seed: asked.seed,
            drawn_by: DrawnBy::Importance,
            access_share: Some(misses.scanned_share),
            files_held: misses.objects_held,
        },
        backing: profile.name,
        reading,
        time_zone: asked.time_zone.clone(),
    })
}

/// All accesses, as if a cache hit each.
fn all_hits(accesses: &Accesses) -> Counts {
    let mut all = Counts::default();
    let objects = accesses.objects.iter();
    objects.for_each(|&object| all.add(true, accesses.sizes[object as usize]));
    all
}

/// The share of hits among `all`, and its interval.
fn hits(misses: Estimate, all: f64) -> (f64, Interval) {
    let share = |misses: f64| 1.0 - misses / all;
    let ends = interval(share(misses.high), share(misses.low));
    (share(misses.value), ends)
}

fn interval(low: f64, high: f64) -> Interval {
    Interval {
        low,
        high,
        level: LEVEL,
    }
}
