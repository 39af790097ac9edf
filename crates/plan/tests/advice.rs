//! Which store suits which traffic, as the 2004 testbed's figures have it; each store by a plan of its own.

use crate::support::{Case, any_case, options, profile};
use hotset_plan::{Advice, Arm, Plan, PlanOptions, SiteTerms, advise};
use hotset_scenario::Profile;
use hotset_workload::{Generator, Load, Zipf};
use proptest::prelude::*;

/// Advice for each site of `case`; files are held at the costs of `memory`.
fn advise_sites(case: &Case, asked: &PlanOptions, memory: &str, stores: &[Profile]) -> Vec<Advice> {
    let plan = case.plan(asked).expect("a plan");
    let nodes = std::slice::from_ref(asked);
    advise(&case.workload(), &profile(memory), stores, nodes, &plan).expect("advice")
}

fn advice(case: &Case, memory_bytes: u64) -> Advice {
    let candidates = ["ext3-2004", "pvfs-2004", "lustre-2004"].map(profile);
    let asked = options(memory_bytes);
    advise_sites(case, &asked, "ramfs-2004", &candidates).swap_remove(0)
}

#[test]
fn high_locality_and_small_files_go_to_memory_and_a_local_file_system() {
    let mut case = Case::one_site(
        (0..2000).map(|index| index * index % 40).collect(),
        vec![8000; 40],
    );
    // The held-out part of 600 accesses lasts half an hour.
    let step_us = 1_800_000_000 / 599;
    case.times_us = Some((0..2000).map(|index| index * step_us).collect());
    let advice = advice(&case, 35 * 8192);
    assert!(advice.hit_ratio > 0.8, "{}", advice.hit_ratio);
    assert_eq!(advice.best.as_deref(), Some("ext3-2004"));
    let hourly = advice.requests_per_hour.expect("times are known");
    assert!((hourly - 1200.0).abs() < 0.01, "{hourly}");
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
    assert_eq!(advice.stores[0].held_bytes, 0);
}

/// Advice for a site of Zipf `class` with exponent `alpha`.
fn advice_for_class(class: usize, alpha: f64, memory_bytes: u64) -> Advice {
    let class = Zipf::class(class, Load::new(20_000, 100.0)).expect("a class");
    let shuffled = Zipf {
        alpha,
        size_correlation: 0.0,
        ..class
    };
    let trace = shuffled.generate(1).expect("a trace");
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

/// Mean response of site `site` if the plan is followed.
fn followed_us(plan: &Plan, site: usize) -> f64 {
    let scores = &plan.sites[site].held_out;
    let arm = match (&plan.given_up, scores.arms.get(Arm::Reservations)) {
        (None, _) => &scores[Arm::Plan],
        (Some(_), Some(reservations)) => reservations,
        (Some(_), None) => &scores[Arm::PageCache],
    };
    // A plan that holds nothing has nothing to give up, and its score is that of the page cache.
    arm.mean_us
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn each_store_has_what_a_plan_for_it_says(
        case in any_case(2), pages in 1u64..60, reserved in 0u64..10, weight in 0.1f64..10.0
    ) {
        let reservation_bytes = reserved.min(pages / 2) * 4096;
        let terms = vec![SiteTerms { weight, reservation_bytes }, SiteTerms::default()];
        let asked = PlanOptions { terms, give_up_losses: true, ..options(pages * 4096) };
        let stores = ["hdd", "nvme", "hdd-7200", "nfs", "moosefs"].map(profile);
        let advice = advise_sites(&case, &asked, "memory", &stores);
        for (index, store) in stores.into_iter().enumerate() {
            let plan = case.plan_on(store, &asked).expect("a plan");
            for (site, advice) in advice.iter().enumerate() {
                let (seen, of_plan) = (&advice.stores[index], &plan.sites[site]);
                let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs() || (a.is_nan() && b.is_nan());
                prop_assert!(close(seen.page_cache_mean_us, of_plan.held_out[Arm::PageCache].mean_us));
                prop_assert!(close(seen.plan_mean_us, followed_us(&plan, site)), "{seen:?}");
                prop_assert_eq!(seen.held_bytes, of_plan.held_bytes);
            }
        }
    }
}

#[test]
fn a_store_with_other_costs_holds_other_files() {
    // Small files are worth holding where finding a file is dear, large ones where transferring it is.
    let access = |turn: u32| turn * 7 % 40;
    let sizes = (0..40u64).map(|object| if object % 2 == 0 { 100 } else { 40_960 });
    let case = Case::one_site((0..4000).map(access).collect(), sizes.collect());
    let seek = profile("hdd-7200");
    let mut transfer = profile("nvme");
    transfer.uncached.bytes_per_us = 1.0;
    let advice = advise_sites(&case, &options(60 * 4096), "memory", &[seek, transfer]);
    let held = advice[0].stores.iter().map(|store| store.held_bytes);
    let held: Vec<u64> = held.collect();
    assert!(held[0] != held[1], "{held:?}");
}

#[test]
fn without_candidates_there_is_no_advice() {
    let case = Case::one_site((0..100).collect(), vec![4096; 100]);
    assert_eq!(advise_sites(&case, &options(4096), "memory", &[]), []);
}
