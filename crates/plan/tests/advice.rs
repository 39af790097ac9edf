//! Which store suits which traffic, as the 2004 testbed's figures have it.

mod support;

use hotset_plan::{Advice, advise};
use hotset_workload::{Generator, Load, Zipf};
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

/// Advice for a site of Zipf `class` with exponent `alpha`.
fn advice_for_class(class: usize, alpha: f64, memory_bytes: u64) -> Advice {
    let class = Zipf::class(class, Load::new(20_000, 100.0)).expect("a class");
    let trace = Zipf { alpha, ..class }.generate(1).expect("a trace");
    advice(
        &Case::one_site(trace.requests.object, trace.objects.size),
        memory_bytes,
    )
}

/// "ramfs and ext3fs" for "a high temporal locality": section 4.5 of "Workload-driven analysis of file systems in shared
/// multi-tier data-centers over InfiniBand".
#[test]
fn classes_that_memory_serves_go_to_memory_and_a_local_file_system() {
    for (class, memory_bytes) in [(0, 64 << 20), (1, 256 << 20)] {
        let advice = advice_for_class(class, 0.9, memory_bytes);
        assert_eq!(
            advice.best.as_deref(),
            Some("ext3-2004"),
            "class {class}: {advice:?}"
        );
    }
}

/// "ramfs and either PVFS or Lustre" for "low temporal locality" (the same section), the more so the lower it is.
///
/// One thing differs from the document, whose figure 7a has ext3 ahead in classes 0 to 3 at an exponent of 0.9: where
/// memory is a small part of the working set, its table 2 prices the large reads that miss at half of ext3's on PVFS, so
/// that the network file systems are ahead at a high exponent too. What decides is whether memory serves the site and
/// how large the misses are, not the exponent alone.
#[test]
fn classes_far_beyond_memory_go_to_a_network_file_system_and_the_more_so_the_lower_their_locality()
{
    let mut before = 0.0;
    for alpha in [0.9, 0.6, 0.3] {
        let advice = advice_for_class(2, alpha, 64 << 20);
        let [ext3, pvfs, lustre] = [0, 1, 2].map(|store| advice.stores[store].plan_mean_us);
        assert!(pvfs < lustre && lustre < ext3, "{alpha}: {advice:?}");
        assert!(ext3 / pvfs > before, "{alpha}: {advice:?}");
        before = ext3 / pvfs;
    }
    for class in [3, 4] {
        let advice = advice_for_class(class, 0.3, 64 << 20);
        assert_eq!(
            advice.best.as_deref(),
            Some("pvfs-2004"),
            "class {class}: {advice:?}"
        );
    }
}
