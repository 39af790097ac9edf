//! Which store suits which traffic, as the 2004 testbed's figures have it.

mod support;

use hotset_plan::{Advice, advise};
use support::{Case, options, profile};

fn advice(case: &Case, memory_bytes: u64) -> Advice {
    let plan = case.plan(&options(memory_bytes)).expect("a plan");
    let candidates = ["ext3-2004", "pvfs-2004", "lustre-2004"].map(profile);
    advise(
        &plan.sites[0].held_out,
        Some(0.5),
        &profile("ramfs-2004"),
        &candidates,
    )
}

#[test]
fn high_locality_and_small_files_go_to_memory_and_a_local_file_system() {
    let case = Case::one_site(
        (0..2000).map(|index| index * index % 40).collect(),
        vec![8000; 40],
    );
    let advice = advice(&case, 35 * 8192);
    assert!(advice.hit_ratio > 0.8, "{}", advice.hit_ratio);
    assert_eq!(advice.best.as_deref(), Some("ext3-2004"));
    assert_eq!(advice.requests_per_hour, Some(1200.0));
}

#[test]
fn low_locality_and_large_files_go_to_memory_and_a_network_file_system() {
    let case = Case::one_site((0..400).collect(), vec![4 << 20; 400]);
    let advice = advice(&case, 64 << 20);
    assert_eq!(advice.hit_ratio, 0.0);
    assert_eq!(advice.best.as_deref(), Some("pvfs-2004"));
    assert_eq!(advice.mean_miss_bytes, f64::from(4 << 20));
    // Nothing is held, so the price is the profile's own.
    let price = profile("ext3-2004").uncached_us(4 << 20);
    assert!((advice.stores[0].plan_mean_us - price).abs() < 1e-6 * price);
}
