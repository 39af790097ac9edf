//! Scans and curves of a whole trace, which nobody asks to end or watches.

use hotset_cache::shards::{self, SampledCurve, Sampling};
use hotset_cache::{CacheError, Counts, MissRatioCurve, Policy, PolicyKind};

pub fn simulate(
    kind: PolicyKind,
    capacity: u64,
    requests: &[u32],
    sizes: &[u64],
) -> Result<Counts, CacheError> {
    hotset_cache::simulate(kind, capacity, requests, sizes, None, |_, _| {})
}

pub fn scan(
    policy: &mut impl Policy,
    requests: &[u32],
    sizes: &[u64],
) -> Result<Counts, CacheError> {
    hotset_cache::scan(policy, requests, sizes, None, |_, _| {})
}

pub fn miss_ratio_curve(
    requests: &[u32],
    sizes: &[u64],
    points: &[u64],
) -> Result<MissRatioCurve, CacheError> {
    hotset_cache::miss_ratio_curve(requests, sizes, points, None)
}

pub fn sampled_curve(
    requests: &[u32],
    sizes: &[u64],
    points: &[u64],
    sampling: Sampling,
) -> Result<SampledCurve, CacheError> {
    shards::sampled_curve(requests, sizes, points, sampling, None)
}
