//! What to do about a plan: by the mean that it minimises, within what sites reserve.

use crate::support::{Case, any_case, options};
use hotset_plan::{Arm, Destination, FileIdentity, Plan, PlanOptions, SiteTerms, Verdict};
use hotset_scenario::{FilePath, Placement};
use proptest::prelude::*;

/// Files go round in the part that trains; in the rest, others do that fit in eight pages of page cache.
fn changed_traffic() -> Case {
    let accesses = (0..1000).map(|turn| match turn {
        0..700 => turn % 20,
        _ => 20 + turn % 8,
    });
    let mut case = Case::one_site(accesses.collect(), vec![4096; 28]);
    case.site_of_object = (0..28).map(|object| u16::from(object < 5)).collect();
    case.sites = vec!["large".to_owned(), "small".to_owned()];
    case
}

/// Terms of the two sites of [`changed_traffic`], the second of which reserves so many pages.
fn reserving(pages: u64) -> Vec<SiteTerms> {
    let small = SiteTerms {
        reservation_bytes: pages * 4096,
        ..SiteTerms::default()
    };
    vec![SiteTerms::default(), small]
}

fn judged(case: &Case, terms: Vec<SiteTerms>) -> Plan {
    let asked = PlanOptions {
        terms,
        give_up_losses: true,
        ..options(10 * 4096)
    };
    case.plan(&asked).expect("a plan")
}

fn placement(case: &Case, plan: &Plan) -> Placement {
    let destination = Destination {
        nodes: &["web1"],
        store: "memory",
    };
    plan.placement(&case.files(), destination, |object| FileIdentity {
        path: FilePath::from(format!("/{object}").as_str()),
        mtime_ns: None,
    })
}

#[test]
fn a_plan_that_does_worse_than_the_page_cache_holds_nothing() {
    let case = changed_traffic();
    let plan = judged(&case, Vec::new());
    let given_up = plan.given_up.expect("a plan that was given up");
    assert!(given_up.objects >= 5, "{given_up:?}");
    assert!(plan.total.held_out[Arm::Plan].gain < Some(0.0));
    assert_eq!(
        (plan.held.objects, plan.moved_bytes, plan.share),
        (0, 0, 0.0)
    );
    assert_eq!(plan.page_cache_bytes, 10 * 4096);
    assert!(plan.sites.iter().all(|site| site.held_objects == 0));
    assert_eq!(placement(&case, &plan).files, []);
    assert_eq!(plan.verdict(None), Verdict::Leave);
}

#[test]
fn the_definition_keeps_a_plan_that_loses() {
    let plan = changed_traffic().plan(&options(10 * 4096)).expect("a plan");
    assert!(plan.held.objects > 0 && plan.given_up.is_none());
}

#[test]
fn what_a_site_reserves_is_held_even_if_the_rest_is_given_up() {
    let plan = judged(&changed_traffic(), reserving(2));
    assert!(plan.given_up.is_some());
    assert_eq!(plan.sites[1].held_objects, 2);
    assert_eq!(plan.held.pages, 2);
    assert_eq!(plan.verdict(None), Verdict::Hold);
    let scores = plan.total.held_out;
    let reservations = scores
        .arms
        .get(Arm::Reservations)
        .expect("sites reserve something");
    assert!(reservations.mean_us < scores[Arm::Plan].mean_us);
}

#[test]
fn without_reservations_there_is_no_such_arm() {
    let plan = judged(&changed_traffic(), Vec::new());
    assert_eq!(plan.total.held_out.arms.get(Arm::Reservations), None);
}

/// A busy site whose files fit in the page cache, and a quiet one whose do not.
fn quiet_and_starved() -> Case {
    let access = |turn: u32| match turn % 5 {
        0 => 8 + turn / 5 % 20,
        _ => turn * 3 % 8,
    };
    let mut case = Case::one_site((0..4000).map(access).collect(), vec![4096; 28]);
    case.site_of_object = (0..28).map(|object| u16::from(object >= 8)).collect();
    case.sites = vec!["busy".to_owned(), "quiet".to_owned()];
    case
}

#[test]
fn the_weighted_mean_decides() {
    let quiet_first = SiteTerms {
        weight: 1000.0,
        ..SiteTerms::default()
    };
    let plan = judged(
        &quiet_and_starved(),
        vec![SiteTerms::default(), quiet_first],
    );
    let score = &plan.total.held_out[Arm::Plan];
    assert!(score.gain < Some(0.0), "{score:?}");
    assert!(score.weighted_gain > Some(0.1), "{score:?}");
    let interval = score.weighted_gain_interval.expect("an interval");
    assert!(interval.low > 0.0, "{interval:?}");
    assert_eq!((plan.given_up, plan.verdict(None)), (None, Verdict::Hold));
}

#[test]
fn sites_that_weigh_alike_have_one_gain() {
    let plan = judged(&quiet_and_starved(), Vec::new());
    for arm in [
        &plan.total.held_out[Arm::Plan],
        &plan.sites[1].held_out[Arm::Plan],
    ] {
        assert_eq!(arm.gain, arm.weighted_gain);
        assert_eq!(arm.gain_interval, arm.weighted_gain_interval);
    }
}

#[test]
fn a_plan_in_force_makes_the_same_one_unchanged() {
    let case = quiet_and_starved();
    let plan = case.plan(&options(20 * 4096)).expect("a plan");
    let now = placement(&case, &plan);
    assert!(!now.files.is_empty());
    let verdict = |previous: &Placement| plan.verdict(Some(&now.changes_from(previous)));
    assert_eq!(verdict(&now), Verdict::Unchanged);
    let mut fewer = now.clone();
    fewer.files.pop();
    assert_eq!(verdict(&fewer), Verdict::Hold);
}

#[test]
fn dropping_every_file_of_the_plan_in_force_is_leaving_it_to_the_page_cache() {
    let case = changed_traffic();
    let before = placement(&case, &case.plan(&options(10 * 4096)).expect("a plan"));
    let plan = judged(&case, Vec::new());
    let now = placement(&case, &plan);
    let changes = now.changes_from(&before);
    assert_eq!(changes.dropped.len(), before.files.len());
    assert_eq!(plan.verdict(Some(&changes)), Verdict::Leave);
    assert_eq!(
        plan.verdict(Some(&now.changes_from(&now))),
        Verdict::Unchanged
    );
}

#[test]
fn a_site_that_the_training_part_does_not_have_holds_nothing() {
    let mut case = changed_traffic();
    case.site_of_object = (0..28).map(|object| u16::from(object >= 20)).collect();
    let plan = case.plan(&options(10 * 4096)).expect("a plan");
    let [old, new] = [&plan.sites[0], &plan.sites[1]];
    assert_eq!((old.training_accesses, new.training_accesses), (700, 0));
    assert_eq!(new.held_objects, 0);
    assert_eq!(new.held_out.accesses, 300);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_plan_that_is_kept_does_worse_than_what_is_reserved(
        case in any_case(2), memory in 1u64..60, reserved in 0u64..20, weight in 0.01f64..100.0
    ) {
        let reservation_bytes = reserved.min(memory) * 4096;
        let terms = vec![SiteTerms { weight, reservation_bytes }, SiteTerms::default()];
        let asked = PlanOptions { terms, give_up_losses: true, ..options(memory * 4096) };
        let plan = case.plan(&asked).expect("a plan");
        let scores = &plan.total.held_out;
        let without = scores.arms.get(Arm::Reservations).unwrap_or(&scores[Arm::PageCache]);
        let pays = scores[Arm::Plan].weighted_mean_us < without.weighted_mean_us;
        let definition = case.plan(&PlanOptions { give_up_losses: false, ..asked }).expect("a plan");
        if plan.given_up.is_some() {
            prop_assert!(!pays || scores[Arm::Plan].weighted_mean_us > without.weighted_mean_us * (1.0 - 1e-9));
            prop_assert!(plan.held.pages * 4096 <= reservation_bytes);
            prop_assert_eq!(plan.given_up, Some(definition.held));
        } else {
            prop_assert_eq!(plan.held, definition.held);
        }
        prop_assert_eq!(&scores[Arm::Plan], &definition.total.held_out[Arm::Plan]);
    }
}
