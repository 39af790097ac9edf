//! Small, odd and wrong questions.

use crate::support::{Case, any_case, options, profile};
use hotset_plan::{Arm, PlanError, PlanOptions, Renewal, SiteTerms, memory_for_gain};
use proptest::prelude::*;

#[test]
fn one_access_gets_an_answer() {
    let plan = Case::one_site(vec![0], vec![100])
        .plan(&PlanOptions::new(4096))
        .expect("a plan");
    assert_eq!((plan.held.objects, plan.total.held_out.accesses), (0, 1));
    assert_eq!(plan.total.held_out[Arm::Plan].gain, Some(0.0));
}

#[test]
fn memory_for_everything_leaves_nothing_to_gain_but_cold_misses() {
    let accesses: Vec<u32> = (0..1000).map(|index| index % 10).collect();
    let plan = Case::one_site(accesses, vec![5000; 10])
        .plan(&PlanOptions::new(1 << 40))
        .expect("a plan");
    let scores = &plan.total.held_out;
    assert_eq!(
        (
            scores[Arm::PageCache].hit_ratio,
            scores[Arm::Plan].hit_ratio
        ),
        (1.0, 1.0)
    );
    assert_eq!(plan.held.objects, 0, "holding would move bytes for no gain");
}

#[test]
fn files_larger_than_memory_are_left_alone() {
    let plan = Case::one_site([0, 1].repeat(50), vec![1 << 20; 2])
        .plan(&PlanOptions::new(8192))
        .expect("a plan");
    assert_eq!(
        (plan.held.objects, plan.total.held_out[Arm::Plan].hit_ratio),
        (0, 0.0)
    );
}

#[test]
fn objects_seen_once_promise_nothing() {
    let plan = Case::one_site((0..200).collect(), vec![4096; 200])
        .plan(&options(50 * 4096))
        .expect("a plan");
    assert_eq!(
        (plan.held.objects, plan.total.held_out[Arm::Plan].gain),
        (0, Some(0.0))
    );
    assert_eq!(plan.total.held_out[Arm::Adaptive].gain, Some(0.0));
}

#[test]
fn a_site_that_first_shows_up_in_the_held_out_part_is_scored() {
    let mut case = Case::one_site([vec![0; 80], vec![1; 20]].concat(), vec![4096; 2]);
    case.site_of_object = vec![0, 1];
    case.sites = vec!["old".to_owned(), "new".to_owned(), "silent".to_owned()];
    let plan = case.plan(&options(4096)).expect("a plan");
    let accesses: Vec<u64> = plan
        .sites
        .iter()
        .map(|site| site.held_out.accesses)
        .collect();
    assert_eq!(accesses, [10, 20, 0]);
    assert_eq!(plan.sites[1].held_bytes, 0);
    let json = serde_json::to_value(&plan).expect("json");
    assert!(json["sites"][2]["held_out"]["plan"]["mean_us"].is_null());
}

#[test]
fn a_store_as_fast_as_memory_is_not_worth_holding_anything() {
    let case = Case::one_site([0, 1, 2, 0].repeat(50), vec![4096; 3]);
    let (memory, backing) = (profile("memory"), [profile("memory")]);
    let costs = hotset_plan::ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    let plan = hotset_plan::plan(&case.workload(), &costs, &options(4096)).expect("a plan");
    assert_eq!(plan.held.objects, 0);
}

fn refusal(change: impl Fn(&mut Case, &mut PlanOptions)) -> PlanError {
    let (mut case, mut options) = (Case::one_site(vec![0, 1], vec![1, 1]), options(1 << 20));
    change(&mut case, &mut options);
    case.plan(&options).expect_err("a refusal")
}

#[test]
fn wrong_questions_are_refused() {
    assert!(matches!(
        refusal(|case, _| case.accesses.clear()),
        PlanError::NoAccess
    ));
    assert!(matches!(
        refusal(|case, _| case.accesses[1] = 2),
        PlanError::UnknownObject {
            index: 1,
            object: 2,
            ..
        }
    ));
    assert!(matches!(
        refusal(|case, _| case.site_of_object[1] = 1),
        PlanError::UnknownSite { object: 1, .. }
    ));
    assert!(matches!(
        refusal(|case, _| case.times_us = Some(vec![0])),
        PlanError::Length {
            column: "times_us",
            ..
        }
    ));
    assert!(matches!(
        refusal(|_, options| options.memory_bytes = 4095),
        PlanError::Memory { .. }
    ));
    for share in [0.0, 1.0, f64::NAN, -0.5] {
        assert!(matches!(
            refusal(|_, options| options.training_share = share),
            PlanError::Option { .. }
        ));
    }
    assert!(matches!(
        refusal(|_, options| options.renewal = Renewal::Accesses(0)),
        PlanError::Option { .. }
    ));
    let terms = |weight, reservation_bytes| {
        vec![SiteTerms {
            weight,
            reservation_bytes,
        }]
    };
    for weight in [
        0.0,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        1e-320,
    ] {
        assert!(matches!(
            refusal(|_, options| options.terms = terms(weight, 0)),
            PlanError::Weight { .. }
        ));
    }
    assert!(matches!(
        refusal(|_, options| options.terms = terms(1.0, 1 << 21)),
        PlanError::Reservations { .. }
    ));
    assert!(matches!(
        refusal(|_, options| options.terms = vec![SiteTerms::default(); 2]),
        PlanError::Length { .. }
    ));
}

#[test]
fn a_gain_out_of_range_or_out_of_reach_is_told() {
    let case = Case::one_site(
        (0..300).map(|index| index * 7 % 10).collect(),
        vec![4096; 10],
    );
    let (memory, backing) = (profile("memory"), [profile("hdd")]);
    let costs = hotset_plan::ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    let ask_beside =
        |memory, gain| memory_for_gain(&case.workload(), &costs, &[options(memory)], gain);
    let ask = |gain| ask_beside(8192, gain);
    assert!(ask(1.5).is_err());
    assert_eq!(ask(0.999_999).expect("an answer"), None);
    // The objects go round and round: half of them held is half of the accesses served from memory.
    let half = ask(0.45).expect("an answer").expect("a memory");
    assert_eq!(half.memory_bytes, 5 * 4096);
    // What memory the plan itself is for has no say.
    let beside = ask_beside(7 * 4096, 0.45);
    assert_eq!(
        beside.expect("an answer").expect("a memory").memory_bytes,
        5 * 4096
    );
}

proptest! {
    #[test]
    fn any_workload_with_times_of_any_kind_gets_an_answer(
        case in any_case(3),
        memory in 1u64..1_000_000,
        times in prop::collection::vec(any::<i64>(), 300),
        every in 1u64..u64::MAX,
        reserve in 0u64..300_000,
        renewal in 0usize..3,
    ) {
        let times_us = Some(times[..case.accesses.len()].to_vec());
        let case = Case { times_us, ..case };
        let renewal = [Renewal::HundredTimes, Renewal::Accesses(every), Renewal::Microseconds(every)][renewal];
        let terms = vec![SiteTerms { weight: 2.0, reservation_bytes: reserve }; 3];
        let asked = PlanOptions { renewal, terms, curve_points: 3, ..PlanOptions::new(memory) };
        match case.plan(&asked) {
            Ok(plan) => prop_assert!(plan.held.pages <= memory / 4096),
            Err(error) => {
                let expected = matches!(error, PlanError::Memory { .. } | PlanError::Reservations { .. });
                prop_assert!(expected, "{}", error);
            }
        }
    }
}
