//! A given held set is scored as a plan that chose it would be.

mod support;

use hotset_plan::{PlanError, ProfileCosts, evaluate};
use proptest::prelude::*;
use support::{Case, any_case, options, profile};

fn evaluated(case: &Case, memory_bytes: u64, held: &[u32]) -> Result<[f64; 2], PlanError> {
    let (memory, backing) = (profile("memory"), [profile("hdd")]);
    let costs = ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    let found = evaluate(&case.workload(), &costs, &options(memory_bytes), held)?;
    Ok([found.total.mean_us, found.sites[0].mean_us])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn the_plans_own_set_scores_as_the_plan_says(case in any_case(3), pages in 1u64..200) {
        let memory_bytes = pages * 4096;
        let plan = case.plan(&options(memory_bytes)).expect("a plan");
        let held: Vec<u32> = plan.nodes[0].objects.iter().map(|held| held.object).collect();
        let [total, site] = evaluated(&case, memory_bytes, &held).expect("an evaluation");
        let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
        prop_assert!(same(total, plan.total.held_out.plan.mean_us));
        prop_assert!(same(site, plan.sites[0].held_out.plan.mean_us));
        let [alone, _] = evaluated(&case, memory_bytes, &[]).expect("an evaluation");
        prop_assert!(same(alone, plan.total.held_out.page_cache.mean_us));
    }
}

#[test]
fn an_object_named_twice_is_held_once() {
    let case = Case::one_site(vec![0, 1, 2, 0, 1, 2, 0, 1, 2, 0], vec![4096; 3]);
    let once = evaluated(&case, 2 * 4096, &[0]).expect("an evaluation");
    let twice = evaluated(&case, 2 * 4096, &[0, 0]).expect("an evaluation");
    assert_eq!(once, twice);
}

#[test]
fn an_unknown_object_is_refused() {
    let case = Case::one_site(vec![0, 1, 2, 0], vec![4096; 3]);
    let error = evaluated(&case, 4096, &[0, 3]).expect_err("no object 3");
    assert!(matches!(
        error,
        PlanError::UnknownObject {
            index: 1,
            object: 3,
            objects: 3
        }
    ));
}
