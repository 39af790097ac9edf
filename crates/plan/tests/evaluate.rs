//! A given held set is scored as a plan that chose it would be.

use crate::support::{Case, any_case, options, profile};
use hotset_plan::{Arm, PlanError, PlanOptions, ProfileCosts, evaluate, evaluate_groups};
use proptest::prelude::*;

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
        prop_assert!(same(total, plan.total.held_out[Arm::Plan].mean_us));
        prop_assert!(same(site, plan.sites[0].held_out[Arm::Plan].mean_us));
        let [alone, _] = evaluated(&case, memory_bytes, &[]).expect("an evaluation");
        prop_assert!(same(alone, plan.total.held_out[Arm::PageCache].mean_us));
    }
}

fn evaluated_in_groups(
    case: &Case,
    options: &PlanOptions,
    held: &[u32],
    group_bytes: &[u64],
) -> Result<[f64; 2], PlanError> {
    let (memory, backing) = (profile("memory"), [profile("hdd")]);
    let costs = ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    let found = evaluate_groups(&case.workload(), &costs, options, held, group_bytes)?;
    Ok([found.total.mean_us, found.sites[0].mean_us])
}

/// Two sites of eight files that are read in turn, in memory for twelve of them.
fn two_sites() -> Case {
    Case {
        accesses: (0..400u32).map(|turn| turn % 16).collect(),
        times_us: None,
        sizes: vec![256 * 4096; 16],
        site_of_object: (0..16).map(|object| u16::from(object >= 8)).collect(),
        sites: vec!["a".to_owned(), "b".to_owned()],
    }
}

#[test]
fn a_group_as_large_as_its_site_keeps_all_of_it_whatever_the_other_has() {
    let (case, all) = (two_sites(), options(12 * 256 * 4096));
    let whole = 8 * 256 * 4096;
    let found = evaluated_in_groups(&case, &all, &[], &[whole, whole / 2]).expect("groups");
    let held: Vec<u32> = (0..8).collect();
    let [_, in_memory] = evaluated(&case, 16 * 256 * 4096, &held).expect("held");
    let [_, shared] = evaluated(&case, 12 * 256 * 4096, &[]).expect("shared");
    assert!(found[1] < shared / 2.0, "{} {shared}", found[1]);
    assert!(found[1] < in_memory * 20.0, "{} {in_memory}", found[1]);
}

#[test]
fn another_number_of_groups_than_of_sites_is_refused() {
    let (case, all) = (two_sites(), options(12 * 256 * 4096));
    assert!(evaluated_in_groups(&case, &all, &[], &[4096]).is_err());
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
