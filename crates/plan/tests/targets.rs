//! Targets before the mean: whom a plan serves.

use crate::support::{Case, options};
use hotset_plan::{Arm, PageCacheModel, PlanError, PlanOptions, SetbackCause, TargetResult};
use hotset_scenario::{Objective, Target};

const PAGE: u64 = 4096;

/// A site whose files each save little, and one whose files each save much, with as many accesses: for the mean, all
/// memory belongs to the second.
fn humble_beside_greedy() -> Case {
    let (humble, greedy) = (200u32, 200u32);
    let accesses = (0..20_000u32).map(|turn| match turn % 4 {
        0 => turn / 4 * 7 % humble,
        _ => humble + turn * 7 % greedy,
    });
    Case {
        accesses: accesses.collect(),
        times_us: None,
        sizes: vec![PAGE; (humble + greedy) as usize],
        site_of_object: (0..humble + greedy)
            .map(|object| u16::from(object >= humble))
            .collect(),
        sites: vec!["humble".to_owned(), "greedy".to_owned()],
    }
}

fn asked(memory_pages: u64, targets: &[&str]) -> PlanOptions {
    let targets = targets.iter().map(|text| text.parse().expect("a target"));
    PlanOptions {
        objective: Objective::Targets,
        targets: vec![targets.collect::<Vec<Target>>(), Vec::new()],
        page_cache: PageCacheModel::Linux,
        ..options(memory_pages * PAGE)
    }
}

fn result(case: &Case, options: &PlanOptions) -> TargetResult {
    let plan = case.plan(options).expect("a plan");
    plan.sites[0].targets[0].clone()
}

#[test]
fn a_target_is_met_though_the_mean_would_starve_the_site() {
    let case = humble_beside_greedy();
    let target = asked(280, &["mean < 1ms"]);
    let by_mean = PlanOptions {
        objective: Objective::Mean,
        ..target.clone()
    };
    let starved = result(&case, &by_mean);
    assert!(!starved.is_met, "{starved:?}");
    let served = result(&case, &target);
    assert!(served.is_met, "{served:?}");
    assert!(served.plan_us.is_some_and(|us| us < 1_000.0), "{served:?}");
}

#[test]
fn targets_without_any_are_the_mean() {
    let case = humble_beside_greedy();
    let by_targets = case.plan(&asked(280, &[])).expect("a plan");
    let by_mean = PlanOptions {
        objective: Objective::Mean,
        ..asked(280, &[])
    };
    let by_mean = case.plan(&by_mean).expect("a plan");
    assert_eq!(by_targets.total, by_mean.total);
    assert_eq!(by_targets.held, by_mean.held);
}

#[test]
fn a_target_that_is_missed_says_what_it_would_take() {
    let case = humble_beside_greedy();
    let missed = result(&case, &asked(20, &["p50 < 5ms"]));
    assert!(!missed.is_met, "{missed:?}");
    let needed = missed.needed_bytes.expect("memory is enough");
    assert!((200 * PAGE..220 * PAGE).contains(&needed), "{needed}");
    let enough = result(&case, &asked(420, &["p50 < 5ms"]));
    assert!(enough.is_met, "{enough:?}");
}

#[test]
fn a_target_that_no_plan_meets_is_come_as_near_to_as_memory_allows() {
    let case = humble_beside_greedy();
    let target = asked(120, &["mean < 1ms"]);
    let by_mean = PlanOptions {
        objective: Objective::Mean,
        ..target.clone()
    };
    for groups in [false, true] {
        let of = |options: &PlanOptions| {
            let options = PlanOptions {
                groups,
                page_cache: PageCacheModel::WholeFiles,
                ..options.clone()
            };
            result(&case, &options)
        };
        let (nearest, starved) = (of(&target), of(&by_mean));
        assert!(!nearest.is_met, "{nearest:?}");
        // Half of the site's files fit.
        let (nearest, starved) = (nearest.plan_us, starved.plan_us);
        assert!(
            nearest < starved.map(|us| us * 0.6),
            "{nearest:?} {starved:?}"
        );
    }
}

#[test]
fn what_a_target_needs_does_not_count_the_first_reads_that_fill_a_cache() {
    // One in seventeen accesses that the plan learns from reads a file for the first time; none later on.
    let missed = result(&humble_beside_greedy(), &asked(20, &["p99 < 5ms"]));
    assert!(!missed.is_met, "{missed:?}");
    let needed = missed.needed_bytes.expect("memory is enough");
    assert!((200 * PAGE..220 * PAGE).contains(&needed), "{needed}");
}

#[test]
fn files_that_are_read_once_cannot_be_met_by_any_memory() {
    let case = Case {
        accesses: (0..1_000).collect(),
        times_us: None,
        sizes: vec![PAGE; 1_000],
        site_of_object: vec![0; 1_000],
        sites: vec!["once".to_owned(), "none".to_owned()],
    };
    let missed = result(&case, &asked(500, &["p50 < 5ms"]));
    assert_eq!((missed.is_met, missed.needed_bytes), (false, None));
}

#[test]
fn a_target_below_what_memory_takes_is_refused() {
    let error = humble_beside_greedy().plan(&asked(280, &["p50 < 0.5us"]));
    let error = error.expect_err("too low");
    assert!(matches!(error, PlanError::Target { .. }), "{error}");
    assert!(error.to_string().contains("humble"), "{error}");
    assert!(error.to_string().contains("p50 < 0.5 µs"), "{error}");
}

#[test]
fn percentiles_stand_beside_every_mean() {
    let plan = humble_beside_greedy()
        .plan(&asked(280, &[]))
        .expect("a plan");
    for score in [
        &plan.total.held_out[Arm::Plan],
        &plan.sites[0].held_out[Arm::Lru],
        &plan.sites[1].held_out[Arm::Adaptive],
    ] {
        let (p50, p95, p99) = (score.p50_us, score.p95_us, score.p99_us);
        assert!(p50.is_some() && p50 <= p95 && p95 <= p99, "{score:?}");
    }
}

/// A site of one file of 150 pages, and one of small files that save more for each page, with three times as many accesses.
fn large_beside_small() -> Case {
    let accesses = (0..20_000u32).map(|turn| match turn % 4 {
        0 => 0,
        _ => 1 + turn * 7 % 200,
    });
    Case {
        accesses: accesses.collect(),
        times_us: None,
        sizes: (0..201)
            .map(|object| if object == 0 { 150 * PAGE } else { PAGE })
            .collect(),
        site_of_object: (0..201).map(|object| u16::from(object > 0)).collect(),
        sites: vec!["large".to_owned(), "small".to_owned()],
    }
}

#[test]
fn a_curve_that_gets_slower_where_a_target_is_met_says_that_it_is_the_target() {
    let options = PlanOptions {
        curve_points: 16,
        ..asked(180, &["p50 < 2ms"])
    };
    let plan = large_beside_small().plan(&options).expect("a plan");
    let setbacks = plan.curve.iter().flat_map(|point| &point.setbacks);
    let causes: Vec<_> = setbacks.map(|setback| setback.cause).collect();
    assert!(causes.contains(&SetbackCause::Targets), "{:#?}", plan.curve);
}
