//! Hits and mean response of a whole trace.

use hotset_cache::{CacheError, Counts, PolicyKind, Stop, simulate};
use hotset_outcome::{Outcome, Provenance, ProvenanceKind};
use hotset_plan::{ScanSeries, scan_mean_us};
use hotset_report::CacheScanView;
use hotset_scenario::Profile;
use hotset_trace::folder;
use hotset_trace::read::ReadSummary;

use super::cache::Cache;
use super::options::Options;
use super::unit::Unit;
use crate::{JobError, provenance};

/// What `cache` hits; with outcomes where `is_compared` says that they are wanted.
pub(super) fn run(
    asked: &Options,
    accesses: &folder::Accesses,
    reading: ReadSummary,
    cache: Cache,
    profile: Profile,
    stop: Option<&Stop>,
) -> Result<CacheScanView, JobError> {
    let Cache {
        policy,
        memory_bytes,
        unit,
    } = cache;
    let mut series = asked
        .is_compared
        .then(|| ScanSeries::new(accesses.objects.len()));
    let counts = scan(accesses, policy, unit, memory_bytes, series.as_mut(), stop)?;
    let mut outcome = series.map(|series| outcome(&series, policy, unit, memory_bytes, &profile));
    if let Some(outcome) = &mut outcome {
        outcome.provenance.traffic = Some(provenance::traffic(&reading));
    }
    Ok(CacheScanView {
        policy: policy.to_string(),
        unit: unit.name().into(),
        memory_bytes,
        requests: counts.requests,
        hits: counts.hits,
        hit_ratio: counts.hit_ratio(),
        byte_hit_ratio: counts.byte_hit_ratio(),
        mean_us: scan_mean_us(&counts, &profile),
        backing: profile.name,
        reading,
        time_zone: asked.time_zone.clone(),
        outcomes: outcome.into_iter().collect(),
    })
}

/// The run as `hotset compare` reads it.
fn outcome(
    series: &ScanSeries,
    policy: PolicyKind,
    unit: Unit,
    memory_bytes: u64,
    profile: &Profile,
) -> Outcome {
    let mut provenance = Provenance::new(ProvenanceKind::Simulated);
    provenance.settings = vec![
        ("unit".into(), unit.name().into()),
        ("memory_bytes".into(), memory_bytes.to_string()),
        ("backing".into(), profile.name.clone()),
    ];
    Outcome::new(policy.name(), provenance, series.score(profile))
}

/// Scans the accesses; with a series, what the outcome takes is counted too.
fn scan(
    accesses: &folder::Accesses,
    policy: PolicyKind,
    unit: Unit,
    memory_bytes: u64,
    series: Option<&mut ScanSeries>,
    stop: Option<&Stop>,
) -> Result<Counts, CacheError> {
    let (objects, bytes) = (&accesses.objects, &accesses.sizes);
    let capacity = unit.of_capacity(memory_bytes);
    let in_units = unit.of_sizes(bytes);
    let size = |index: usize| bytes[objects[index] as usize];
    if let Some(series) = series {
        let observe = |index: usize, hit| series.add(hit, size(index));
        simulate(policy, capacity, objects, &in_units, stop, observe)?;
        return Ok(series.counts());
    }
    if unit == Unit::Bytes {
        return simulate(policy, capacity, objects, bytes, stop, |_, _| {});
    }
    let mut counts = Counts::default();
    let observe = |index: usize, hit| counts.add(hit, size(index));
    simulate(policy, capacity, objects, &in_units, stop, observe)?;
    Ok(counts)
}
