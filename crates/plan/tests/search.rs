//! The search for a split beside the page cache of Linux, held to trying every split.

use crate::support::{Case, options, profile, zipf};
use hotset_plan::{
    Arm, Budget, PageCacheModel, Plan, PlanOptions, ProfileCosts, Ranking, Values, Workload,
    evaluate, select,
};
use proptest::prelude::*;

/// More accesses than those up to which every split is tried.
const ACCESSES: usize = 110_000;

fn linux(pages: u64) -> PlanOptions {
    PlanOptions {
        page_cache: PageCacheModel::Linux,
        ..options(pages * 4096)
    }
}

/// Weighted mean responses of every split inside the training part, from holding nothing on.
fn means_of_all_splits(case: &Case, pages: u64) -> Vec<f64> {
    let training = (case.accesses.len() as f64 * 0.7) as usize;
    let inner = (training as f64 * 0.7) as usize;
    let (memory, backing) = (profile("memory"), [profile("hdd")]);
    let costs = ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    let values = Values::new(&case.files(), &costs, &[]).expect("values");
    let mut heat = vec![0.0; case.sizes.len()];
    case.accesses[..inner]
        .iter()
        .for_each(|&object| heat[object as usize] += 1.0);
    let heat = heat.iter().enumerate();
    let ranking = Ranking::new(&values, heat.map(|(id, &heat)| (id as u32, heat)));
    let workload = Workload {
        accesses: &case.accesses[..training],
        ..case.workload()
    };
    let mean_us = |step: u64| {
        let budget = Budget {
            pages: (pages as f64 * (step as f64 / 20.0)) as u64,
            reserved_pages: &[0],
        };
        let set = select(&values, &ranking, budget);
        let found = evaluate(&workload, &costs, &linux(pages), set.objects());
        found.expect("an evaluation").total.weighted_mean_us
    };
    (0..20).map(mean_us).collect()
}

fn plan_of(case: &Case, pages: u64) -> Plan {
    case.plan(&linux(pages)).expect("a plan")
}

/// What a search may miss of the best split. It usually finds it; 1.6 % is the most that was seen, where popularity shifts and
/// the mean has several low points.
const MOST_MISSED: f64 = 0.05;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn the_split_found_is_nearly_as_good_as_the_best_of_all(
        files in 500usize..3000,
        exponent in 0.4f64..0.95,
        shift in prop_oneof![Just(0usize), 1usize..300],
        seed in any::<u64>(),
        memory in 0.02f64..0.6,
    ) {
        let case = zipf(ACCESSES, files, exponent, shift, seed);
        let all: u64 = case.sizes.iter().map(|size| size.div_ceil(4096)).sum();
        let pages = (all as f64 * memory) as u64 + 1;
        let means = means_of_all_splits(&case, pages);
        let best = means.iter().copied().fold(f64::INFINITY, f64::min);
        let validated = plan_of(&case, pages).validated;
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b;
        prop_assert!(close(validated.page_cache_mean_us, means[0]), "{} not {}", validated.page_cache_mean_us, means[0]);
        prop_assert!(validated.plan_mean_us <= validated.page_cache_mean_us);
        prop_assert!(means.iter().any(|&mean| close(mean, validated.plan_mean_us)));
        prop_assert!(validated.plan_mean_us <= (1.0 + MOST_MISSED) * best, "{} us, not {best}: {means:?}", validated.plan_mean_us);
    }
}

#[test]
fn the_curves_splits_are_nearly_as_good_as_the_best_of_all() {
    let case = zipf(ACCESSES, 2000, 0.8, 100, 7);
    let asked = PlanOptions {
        curve_points: 5,
        ..linux(2000)
    };
    let plan = case.plan(&asked).expect("a plan");
    for point in &plan.curve {
        let alone = plan_of(&case, point.memory_bytes / 4096);
        let (by_curve, by_plan) = (point.plan.mean_us, alone.total.held_out[Arm::Plan].mean_us);
        assert!(
            by_curve <= 1.02 * by_plan,
            "{} bytes: {by_curve} us, not {by_plan}",
            point.memory_bytes
        );
    }
}
