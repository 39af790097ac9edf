//! Memory groups of sites: how memory is split into them, and when a plan takes them.

use crate::support::{Case, any_case, options, profile};
use hotset_plan::{
    Arm, Lever, PageCacheModel, Plan, PlanOptions, ProfileCosts, SiteTerms, evaluate_groups,
};
use proptest::prelude::*;

const PAGE: u64 = 4096;

/// A site of small files that are asked for in turn, and one whose large files come once each: the latter push the former
/// out of a page cache that both share.
fn hot_beside_scan() -> Case {
    let (hot, scanned) = (300u32, 3_000u32);
    let accesses = (0..6_000u32).map(|turn| match turn % 2 {
        0 => turn / 2 % hot,
        _ => hot + turn / 2 % scanned,
    });
    let sizes = (0..hot + scanned).map(|object| if object < hot { PAGE } else { 16 * PAGE });
    Case {
        accesses: accesses.collect(),
        times_us: None,
        sizes: sizes.collect(),
        site_of_object: (0..hot + scanned)
            .map(|object| u16::from(object >= hot))
            .collect(),
        sites: vec!["hot".to_owned(), "scan".to_owned()],
    }
}

/// The same with a site whose files of today are not those of yesterday: nothing is worth holding, and what is read twice is
/// worth a group.
fn drifting_beside_scan() -> Case {
    let (drifting, scanned) = (1_200u32, 3_000u32);
    let accesses = (0..6_000u32).map(|turn| match turn % 2 {
        0 => turn / 500 * 100 + turn / 2 % 50,
        _ => drifting + turn / 2 % scanned,
    });
    let sizes = (0..drifting + scanned).map(|object| match object < drifting {
        true => PAGE,
        false => 16 * PAGE,
    });
    Case {
        accesses: accesses.collect(),
        times_us: None,
        sizes: sizes.collect(),
        site_of_object: (0..drifting + scanned)
            .map(|object| u16::from(object >= drifting))
            .collect(),
        sites: vec!["drifting".to_owned(), "scan".to_owned()],
    }
}

fn grouped(memory_pages: u64) -> PlanOptions {
    PlanOptions {
        groups: true,
        page_cache: PageCacheModel::Linux,
        ..options(memory_pages * PAGE)
    }
}

fn site_memory(plan: &Plan) -> Vec<u64> {
    let groups = plan.sites.iter().map(|site| site.group);
    groups
        .map(|group| group.map_or(0, |group| group.memory_bytes))
        .collect()
}

#[test]
fn the_groups_of_a_plan_evaluate_to_what_the_plan_says() {
    let mut grouped_plans = 0;
    for case in [hot_beside_scan(), drifting_beside_scan()] {
        for memory_pages in [1_000, 2_000, 4_000] {
            let options = grouped(memory_pages);
            let plan = case.plan(&options).expect("a plan");
            let node = &plan.nodes[0];
            let held: Vec<u32> = node.objects.iter().map(|held| held.object).collect();
            let groups = node.groups.iter().map(|group| group.memory_bytes);
            let groups: Vec<u64> = groups.collect();
            if groups.is_empty() {
                continue;
            }
            grouped_plans += 1;
            let (memory, backing) = (profile("memory"), [profile("hdd")]);
            let costs = ProfileCosts {
                memory: &memory,
                backing: &backing,
                files: case.files(),
            };
            let found = evaluate_groups(&case.workload(), &costs, &options, &held, &groups);
            let found = found.expect("an evaluation");
            assert_eq!(found.total, plan.total.held_out[Arm::Plan]);
            for (site, planned) in found.sites.iter().zip(&plan.sites) {
                assert_eq!(*site, planned.held_out[Arm::Plan]);
            }
        }
    }
    assert!(grouped_plans > 0);
}

#[test]
fn a_group_keeps_a_scan_from_another_sites_files() {
    let plan = hot_beside_scan().plan(&grouped(2_000)).expect("a plan");
    let groups = plan
        .total
        .held_out
        .arms
        .get(Arm::Groups)
        .expect("an arm of groups");
    assert!(groups.hit_ratio > 0.49, "{}", groups.hit_ratio);
    assert!(plan.total.held_out[Arm::PageCache].hit_ratio < 0.4);
    let hot = plan.sites[0]
        .held_out
        .arms
        .get(Arm::Groups)
        .expect("an arm of groups");
    assert!(hot.hit_ratio > 0.99, "{}", hot.hit_ratio);
}

#[test]
fn groups_are_taken_only_where_they_may_be() {
    let case = hot_beside_scan();
    let without = PlanOptions {
        groups: false,
        ..grouped(2_000)
    };
    let plan = case.plan(&without).expect("a plan");
    assert_eq!(
        (plan.lever, plan.total.held_out.arms.get(Arm::Groups)),
        (Lever::Files, None)
    );
    assert!(plan.sites.iter().all(|site| site.group.is_none()));
}

#[test]
fn there_are_no_groups_where_a_site_would_have_less_than_a_megabyte() {
    let plan = hot_beside_scan().plan(&grouped(511)).expect("a plan");
    assert_eq!(
        (plan.lever, plan.total.held_out.arms.get(Arm::Groups)),
        (Lever::Files, None)
    );
    let plan = hot_beside_scan().plan(&grouped(512)).expect("a plan");
    assert!(plan.total.held_out.arms.get(Arm::Groups).is_some());
}

#[test]
fn one_site_has_no_groups() {
    let case = Case::one_site((0..500).map(|access| access % 40).collect(), vec![PAGE; 40]);
    let plan = case.plan(&grouped(1_000)).expect("a plan");
    assert_eq!(plan.lever, Lever::Files);
    assert_eq!(plan.total.held_out.arms.get(Arm::Groups), None);
}

/// Each site alone with its group's memory is what the groups are together.
#[test]
fn sites_in_groups_do_as_each_does_alone() {
    let case = drifting_beside_scan();
    let plan = case.plan(&grouped(600)).expect("a plan");
    assert_ne!(plan.lever, Lever::Files);
    for (site, memory_bytes) in site_memory(&plan).into_iter().enumerate() {
        let own = |&object: &u32| usize::from(case.site_of_object[object as usize]) == site;
        let alone = Case {
            accesses: case.accesses.iter().copied().filter(own).collect(),
            ..case.clone()
        };
        let options = PlanOptions {
            groups: false,
            ..grouped(memory_bytes / PAGE)
        };
        let alone = alone.plan(&options).expect("a plan").total.held_out;
        let together = &plan.sites[site].held_out;
        let mean_us = |arm| together.arms.get(arm).map(|score| score.mean_us);
        assert_eq!(mean_us(Arm::Groups), Some(alone[Arm::PageCache].mean_us));
        assert_eq!(mean_us(Arm::GroupsAndFiles), Some(alone[Arm::Plan].mean_us));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn groups_fill_the_memory_and_keep_what_is_reserved(
        case in any_case(2),
        pages in 600u64..2000,
        reserved in prop::collection::vec(0u64..600, 2),
    ) {
        prop_assume!(reserved.iter().sum::<u64>() <= pages * 9 / 10);
        let terms = |&pages: &u64| SiteTerms { weight: 1.0, reservation_bytes: pages * PAGE };
        let options = PlanOptions { terms: reserved.iter().map(terms).collect(), ..grouped(pages) };
        let plan = case.plan(&options).expect("a plan");
        let without = case.plan(&PlanOptions { groups: false, ..options }).expect("a plan");
        prop_assert!(plan.validated.plan_mean_us <= without.validated.plan_mean_us * (1.0 + 1e-9));
        if plan.lever != Lever::Files {
            prop_assert_eq!(site_memory(&plan).iter().sum::<u64>(), pages * PAGE);
            for (site, reserved) in plan.sites.iter().zip(&reserved) {
                let group = site.group.expect("a group");
                prop_assert!(group.floor_bytes <= group.memory_bytes);
                prop_assert!(group.floor_bytes >= reserved * PAGE);
                prop_assert!(site.held_bytes <= group.memory_bytes);
            }
        }
    }
}
