//! Which backing store suits a site, from where its accesses find their objects.
//!
//! "Workload-driven analysis of file systems in shared multi-tier data-centers over InfiniBand" (slides,
//! "Multi file system for data-centers") chooses memory and a local file system for high temporal
//! locality, memory and a network file system for low. Here each candidate's profile prices the same
//! held-out traffic, with the page cache alone and with the plan; cost lines make that exact.

use hotset_scenario::Profile;
use serde::Serialize;

use crate::backtest::HeldOut;
use crate::value::Traffic;

/// What a site's mean response would be on one store.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StoreAdvice {
    /// Name of the store's profile.
    pub store: String,
    /// With all memory as page cache, in microseconds.
    pub page_cache_mean_us: f64,
    /// With the plan's files held in memory.
    pub plan_mean_us: f64,
}

/// Which store suits a site.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// Name of the profile with the shortest mean response beside the plan; nothing without candidates or accesses.
    pub best: Option<String>,
    /// Candidates in the order given.
    pub stores: Vec<StoreAdvice>,
    /// Locality: share of accesses that the page cache alone serves from memory.
    pub hit_ratio: f64,
    /// Share of accesses that memory serves with the plan.
    pub plan_hit_ratio: f64,
    /// Mean bytes of an access.
    pub mean_bytes: f64,
    /// Mean bytes of an access that the plan leaves to the store's disks or network.
    pub mean_miss_bytes: f64,
    /// Accesses an hour over the held-out part; nothing for a trace without times.
    pub requests_per_hour: Option<f64>,
}

/// Lays `candidates` beside each other for the site whose scores are `held_out`, with files held at `memory`'s cached
/// cost. `hours` is how long the held-out part lasted, where known.
///
/// Which objects are held is taken from the plan as it is; a store with other costs may merit another plan.
pub fn advise(
    held_out: &HeldOut,
    hours: Option<f64>,
    memory: &Profile,
    candidates: &[Profile],
) -> Advice {
    let (alone, plan) = (&held_out.page_cache.traffic, &held_out.plan.traffic);
    let store = |profile: &Profile| StoreAdvice {
        store: profile.name.clone(),
        page_cache_mean_us: mean_us(alone, memory, profile),
        plan_mean_us: mean_us(plan, memory, profile),
    };
    let stores: Vec<StoreAdvice> = candidates.iter().map(store).collect();
    let known = stores.iter().filter(|store| store.plan_mean_us.is_finite());
    let best = known
        .min_by(|a, b| a.plan_mean_us.total_cmp(&b.plan_mean_us))
        .map(|store| store.store.clone());
    Advice {
        best,
        hit_ratio: alone.hit_ratio(),
        plan_hit_ratio: plan.hit_ratio(),
        mean_bytes: plan.bytes() as f64 / plan.accesses() as f64,
        mean_miss_bytes: plan.miss.bytes as f64 / plan.miss.accesses as f64,
        requests_per_hour: hours
            .filter(|hours| *hours > 0.0)
            .map(|hours| held_out.accesses as f64 / hours),
        stores,
    }
}

fn mean_us(traffic: &Traffic, memory: &Profile, backing: &Profile) -> f64 {
    traffic.us(memory, backing) / traffic.accesses() as f64
}
