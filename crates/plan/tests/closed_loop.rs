//! Clients that wait for answers before they ask again: they ask a site more often the faster it is.

use crate::support::{Case, options, profile};
use hotset_plan::{
    Arm, ClosedLoop, PageCacheModel, Plan, PlanOptions, ProfileCosts, evaluate_closed_loop,
};

const PAGE: u64 = 4096;

/// Two sites with as many accesses each. Of the first, the memory holds all; the second reads ever new files.
fn held_beside_new() -> Case {
    let (held, new) = (100u32, 6_000u32);
    let accesses = (0..8_000u32).map(|turn| match turn % 2 {
        0 => turn / 2 * 7 % held,
        _ => held + turn / 2 % new,
    });
    Case {
        accesses: accesses.collect(),
        times_us: None,
        sizes: vec![16 * PAGE; (held + new) as usize],
        site_of_object: (0..held + new)
            .map(|object| u16::from(object >= held))
            .collect(),
        sites: vec!["held".to_owned(), "new".to_owned()],
    }
}

fn plan(memory_pages: u64) -> Plan {
    let plan = held_beside_new().plan(&linux(memory_pages));
    plan.expect("a plan")
}

fn linux(memory_pages: u64) -> PlanOptions {
    PlanOptions {
        page_cache: PageCacheModel::Linux,
        ..options(memory_pages * PAGE)
    }
}

#[test]
fn a_site_that_becomes_faster_is_asked_more_often() {
    let plan = plan(1_700);
    let sites: Vec<ClosedLoop> = plan
        .sites
        .iter()
        .filter_map(|site| site.closed_loop)
        .collect();
    let [held, new] = sites[..] else {
        panic!("both sites shift: {sites:?}");
    };
    assert_eq!((held.logged_share, new.logged_share), (0.5, 0.5));
    assert!((held.share + new.share - 1.0).abs() < 1e-9);
    // A disk's millisecond becomes microseconds: the site is asked hundreds of times as often.
    assert!(held.share > 0.99, "{held:?}");
    let mean_us = |site: usize| plan.sites[site].held_out[Arm::Plan].mean_us;
    assert!((held.mean_us / mean_us(0) - 1.0).abs() < 0.05, "{held:?}");
    assert!((new.mean_us / mean_us(1) - 1.0).abs() < 0.05, "{new:?}");
}

/// What clients that wait make of these held files.
fn evaluated(memory_pages: u64, held: &[u32]) -> Vec<ClosedLoop> {
    let case = held_beside_new();
    let (memory, backing) = (profile("memory"), [profile("hdd")]);
    let costs = ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    let options = linux(memory_pages);
    evaluate_closed_loop(&case.workload(), &costs, &options, held).expect("an evaluation")
}

#[test]
fn a_given_set_shifts_the_traffic_as_the_plan_that_chose_it() {
    let plan = plan(1_700);
    let said = plan.sites.iter().filter_map(|site| site.closed_loop);
    let held = plan.nodes[0].objects.iter().map(|held| held.object);
    let found = evaluated(1_700, &held.collect::<Vec<_>>());
    assert_eq!(found, said.collect::<Vec<_>>());
}

#[test]
fn with_nothing_held_the_traffic_stays_as_logged() {
    for site in evaluated(1_700, &[]) {
        assert!((site.share - site.logged_share).abs() < 0.02, "{site:?}");
    }
}

#[test]
fn a_plan_that_changes_no_sites_share_says_nothing() {
    // Everything fits: the page cache alone is as fast.
    let plan = plan(200_000);
    assert!(plan.sites.iter().all(|site| site.closed_loop.is_none()));
}
