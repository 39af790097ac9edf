//! The curve of gain against memory: its knee, and nothing that looks worse without a word.

use crate::support;

use crate::support::{Case, any_case, profile};
use hotset_plan::{
    Arm, CurvePoint, Plan, PlanOptions, ProfileCosts, SetbackCause, SetbackFigure, SiteTerms,
    memory_for_gain,
};
use proptest::prelude::*;

const FIGURES: [(Arm, SetbackFigure); 4] = [
    (Arm::PageCache, SetbackFigure::HitRatio),
    (Arm::PageCache, SetbackFigure::WeightedMeanUs),
    (Arm::Plan, SetbackFigure::HitRatio),
    (Arm::Plan, SetbackFigure::WeightedMeanUs),
];

/// How bad a point is: the larger, the worse.
fn badness(point: &CurvePoint, arm: Arm, figure: SetbackFigure) -> f64 {
    let arm = match arm {
        Arm::PageCache => &point.page_cache,
        _ => &point.plan,
    };
    match figure {
        SetbackFigure::HitRatio => -arm.hit_ratio,
        SetbackFigure::WeightedMeanUs => arm.weighted_mean_us,
    }
}

fn is_noted(point: &CurvePoint, arm: Arm, figure: SetbackFigure) -> bool {
    let noted = |figure| {
        let mut setbacks = point.setbacks.iter();
        setbacks.any(|setback| (setback.arm, setback.figure) == (arm, figure))
    };
    // A plan that is slower may have fewer hits without a further word.
    noted(figure) || (arm == Arm::Plan && noted(SetbackFigure::WeightedMeanUs))
}

/// The knee by its definition, written out: of the points between the first and the fastest one, the one farthest below
/// the straight line between the two.
fn plain_knee(plan: &Plan) -> Option<u64> {
    let points: Vec<(f64, f64)> = plan
        .curve
        .iter()
        .map(|point| (point.memory_bytes as f64, point.plan.weighted_mean_us))
        .collect();
    let (first, fastest) = (
        points.first()?,
        points.iter().skip(1).map(|p| p.1).reduce(f64::min)?,
    );
    let last = points.iter().skip(1).find(|point| point.1 == fastest)?;
    let mut knee = None;
    let mut farthest = 1e-9;
    for point in points.iter().skip(1).filter(|point| point.0 < last.0) {
        let along = (point.0 - first.0) / (last.0 - first.0);
        let line = first.1 + along * (last.1 - first.1);
        let below = (line - point.1) / (first.1 - last.1);
        if first.1 > last.1 && below >= farthest {
            (knee, farthest) = (Some(point.0 as u64), below);
        }
    }
    knee
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_is_worse_with_more_memory_without_a_word(case in any_case(2), memory in 1u64..60, weight in 0.1f64..10.0) {
        let terms = vec![SiteTerms { weight, ..SiteTerms::default() }, SiteTerms::default()];
        let plan = case.plan(&PlanOptions { terms, ..PlanOptions::new(memory * 4096) }).expect("a plan");
        for (at, point) in plan.curve.iter().enumerate() {
            for (arm, figure) in FIGURES {
                let before = plan.curve[..at].iter().map(|less| badness(less, arm, figure));
                let best = before.fold(f64::INFINITY, f64::min);
                let is_worse = badness(point, arm, figure) - best > 1e-6 * best.abs().max(1e-3);
                prop_assert!(!is_worse || is_noted(point, arm, figure), "{arm:?} {figure:?} at {point:?}");
            }
            for setback in &point.setbacks {
                let than = match setback.figure {
                    SetbackFigure::HitRatio => -setback.than,
                    SetbackFigure::WeightedMeanUs => setback.than,
                };
                prop_assert!(badness(point, setback.arm, setback.figure) > than - 1e-9);
                prop_assert!(setback.than_memory_bytes < point.memory_bytes);
            }
        }
    }

    #[test]
    fn the_knee_is_the_point_farthest_below_the_chord(case in any_case(1), memory in 1u64..60) {
        let plan = case.plan(&PlanOptions::new(memory * 4096)).expect("a plan");
        let plain = plain_knee(&plan);
        // Where two points are as far below, either is the knee.
        let same = plan.knee_memory_bytes == plain;
        let response = |memory: u64| plan.curve.iter().find(|point| point.memory_bytes == memory).map(|point| point.plan.weighted_mean_us);
        prop_assert!(same || plan.knee_memory_bytes.and_then(response).is_some() == plain.and_then(response).is_some());
    }
}

/// Twenty files that nearly all reads are to, and 400 that are read in turn.
fn hot_and_cold() -> Case {
    let access = |turn: u32| match turn % 10 {
        0 => 20 + turn / 10 % 400,
        _ => turn * 7 % 20,
    };
    Case::one_site((0..8000).map(access).collect(), vec![4096; 420])
}

#[test]
fn memory_for_the_hot_files_is_the_knee() {
    let plan = hot_and_cold()
        .plan(&PlanOptions::new(21 * 4096))
        .expect("a plan");
    let knee = plan.knee_memory_bytes.expect("a knee");
    assert!((20 * 4096..40 * 4096).contains(&knee), "{knee}");
}

#[test]
fn memory_far_beyond_all_files_does_not_move_the_knee() {
    let knee = |memory| {
        hot_and_cold()
            .plan(&PlanOptions::new(memory))
            .expect("a plan")
            .knee_memory_bytes
    };
    assert_eq!(knee(1 << 40), knee(420 * 4096));
}

#[test]
fn a_curve_without_points_or_without_a_gain_has_no_knee() {
    let none = support::options(1 << 20);
    assert_eq!(
        hot_and_cold()
            .plan(&none)
            .expect("a plan")
            .knee_memory_bytes,
        None
    );
    let once = Case::one_site((0..200).collect(), vec![4096; 200]);
    let plan = once.plan(&PlanOptions::new(50 * 4096)).expect("a plan");
    assert_eq!(plan.knee_memory_bytes, None);
}

#[test]
fn a_plan_that_the_held_out_traffic_belies_says_so_at_its_point() {
    // A large file that comes back again and again among files read once; then only six small files.
    let accesses = (0..1000).map(|turn| match turn {
        0..700 if turn % 21 == 0 => 0,
        0..700 => 7 + turn,
        _ => 1 + turn % 6,
    });
    let mut sizes = vec![4096; 707];
    sizes[0] = 10 * 4096;
    let case = Case::one_site(accesses.collect(), sizes);
    let plan = case.plan(&PlanOptions::new(12 * 4096)).expect("a plan");
    let setbacks = plan.curve.iter().flat_map(|point| &point.setbacks);
    let of_plan: Vec<_> = setbacks
        .filter(|setback| setback.arm == Arm::Plan)
        .collect();
    assert!(!of_plan.is_empty(), "{:?}", plan.curve);
    assert!(
        of_plan
            .iter()
            .any(|setback| setback.cause == SetbackCause::Traffic),
        "{of_plan:?}"
    );
}

#[test]
fn memory_for_a_gain_is_for_the_mean_by_weight() {
    let access = |turn: u32| match turn % 5 {
        0 => 8 + turn / 5 % 20,
        _ => turn * 3 % 8,
    };
    let mut case = Case::one_site((0..4000).map(access).collect(), vec![4096; 28]);
    case.site_of_object = (0..28).map(|object| u16::from(object >= 8)).collect();
    case.sites = vec!["busy".to_owned(), "quiet".to_owned()];
    let (memory, backing) = (profile("memory"), [profile("hdd")]);
    let costs = ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    let heavy = SiteTerms {
        weight: 1000.0,
        ..SiteTerms::default()
    };
    let asked = PlanOptions {
        terms: vec![SiteTerms::default(), heavy],
        ..PlanOptions::new(4096)
    };
    let point = memory_for_gain(&case.workload(), &costs, &[asked], 0.3).expect("a search");
    let point = point.expect("some memory reaches it");
    assert!(point.plan.weighted_gain >= Some(0.3), "{point:?}");
    assert!(point.plan.gain < Some(0.3), "{point:?}");
}
