//! What is held: near the optimum, within reservations, by weight, and with reasons.

use crate::support::{Case, any_case, options, profile};
use hotset_plan::{
    Arm, Budget, Destination, FileIdentity, Plan, PlanOptions, ProfileCosts, Ranking, SiteTerms,
    Values, reserved_pages, select,
};
use hotset_scenario::FilePath;
use proptest::prelude::*;

/// Microseconds that holding `object` would have saved over the training part.
fn value(case: &Case, object: usize) -> f64 {
    let training = &case.accesses[..(case.accesses.len() as f64 * 0.7) as usize];
    let count = training
        .iter()
        .filter(|&&other| other as usize == object)
        .count();
    count as f64
        * (profile("hdd").uncached_us(case.sizes[object])
            - profile("memory").cached_us(case.sizes[object]))
}

/// The best value of any set of at most 12 objects within `budget` pages, each site's reservation kept from the others.
fn exact_optimum(case: &Case, budget: u64, reserved: &[u64]) -> f64 {
    let pages: Vec<u64> = case.sizes.iter().map(|size| size.div_ceil(4096)).collect();
    let seen = |site: u16| -> u64 {
        let own = (0..pages.len())
            .filter(|&object| case.site_of_object[object] == site && value(case, object) > 0.0);
        own.map(|object| pages[object]).sum()
    };
    let reserved: Vec<u64> = reserved
        .iter()
        .enumerate()
        .map(|(site, &pages)| pages.min(seen(site as u16)))
        .collect();
    let budget = budget.max(reserved.iter().sum());
    let values: Vec<f64> = (0..pages.len()).map(|object| value(case, object)).collect();
    let worth = |set: u32| {
        let members = (0..pages.len()).filter(|object| set >> object & 1 == 1);
        let mut used = vec![0; reserved.len()];
        members
            .clone()
            .for_each(|object| used[usize::from(case.site_of_object[object])] += pages[object]);
        let taken: u64 = used
            .iter()
            .zip(&reserved)
            .map(|(used, reserved)| used.max(reserved))
            .sum();
        if taken <= budget {
            members.map(|object| values[object]).sum()
        } else {
            0.0
        }
    };
    (0..1u32 << pages.len()).map(worth).fold(0.0, f64::max)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_bound_holds_against_every_choice_there_is(
        sizes in prop::collection::vec(1u64..30_000, 1..10),
        draws in prop::collection::vec(0u32..1000, 10..120),
        sites in prop::collection::vec(0u16..2, 10),
        memory in 1u64..30,
        reserved in prop::collection::vec(0u64..6, 2),
    ) {
        let accesses = draws.iter().map(|draw| draw % sizes.len() as u32).collect();
        let site_of_object = sites[..sizes.len()].to_vec();
        let names = vec!["a".to_owned(), "b".to_owned()];
        let case = Case { accesses, times_us: None, sizes, site_of_object, sites: names };
        let terms = reserved.iter().map(|pages| SiteTerms { weight: 1.0, reservation_bytes: pages * 4096 }).collect();
        let asked = PlanOptions { terms, ..options(memory * 4096) };
        prop_assume!(reserved.iter().sum::<u64>() <= memory);
        let plan = case.plan(&asked).expect("a plan");
        let budget = (memory as f64 * plan.share) as u64;
        let optimum = exact_optimum(&case, budget, &reserved);
        prop_assert!(plan.bound.optimum_at_most_us >= optimum * (1.0 - 1e-9));
        prop_assert!(plan.bound.value_us <= optimum * (1.0 + 1e-9));
        prop_assert!(plan.bound.value_us >= optimum * (1.0 - plan.bound.distance) * (1.0 - 1e-9));
    }

    #[test]
    fn the_same_question_gets_the_same_answer_on_any_number_of_threads(case in any_case(2), memory in 1u64..60) {
        let asked = PlanOptions { curve_points: 3, ..PlanOptions::new(memory * 4096) };
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
            serde_json::to_string(&pool.install(|| case.plan(&asked)).expect("a plan")).expect("json")
        };
        prop_assert_eq!(on(1), on(4));
    }
}

/// A busy site and a quiet one, 20 one-page files each; both go round their files, the busy one nine times as fast.
fn busy_and_quiet() -> Case {
    let access = |index: u32| {
        if index.is_multiple_of(10) {
            20 + index / 10 * 7 % 20
        } else {
            index * 7 % 20
        }
    };
    let mut case = Case::one_site((0..4000).map(access).collect(), vec![4096; 40]);
    case.site_of_object = (0..40).map(|object| object / 20).collect();
    case.sites = vec!["busy".to_owned(), "quiet".to_owned()];
    case
}

fn held_by_site(plan: &Plan) -> Vec<u64> {
    plan.sites.iter().map(|site| site.held_objects).collect()
}

#[test]
fn a_reservation_is_kept_from_a_busier_site() {
    let case = busy_and_quiet();
    let alone = case.plan(&options(10 * 4096)).expect("a plan");
    assert_eq!(held_by_site(&alone)[1], 0);
    let mut terms = vec![SiteTerms::default(); 2];
    terms[1].reservation_bytes = 4 * 4096;
    let plan = case
        .plan(&PlanOptions {
            terms,
            ..options(10 * 4096)
        })
        .expect("a plan");
    assert_eq!(held_by_site(&plan)[1], 4);
    assert!(plan.held.pages <= 10);
}

#[test]
fn weight_moves_memory_to_a_site() {
    let case = busy_and_quiet();
    let terms = vec![
        SiteTerms::default(),
        SiteTerms {
            weight: 100.0,
            reservation_bytes: 0,
        },
    ];
    let plan = case
        .plan(&PlanOptions {
            terms,
            ..options(10 * 4096)
        })
        .expect("a plan");
    let held = held_by_site(&plan);
    assert!(held[1] > 0 && held[0] == 0, "{held:?}");
}

#[test]
fn every_file_says_why_in_the_order_of_moving() {
    let mut case = busy_and_quiet();
    case.times_us = Some((0..4000).map(|index| index * 3_600_000).collect());
    let plan = case.plan(&options(30 * 4096)).expect("a plan");
    let destination = Destination {
        nodes: &["web1"],
        store: "memory",
    };
    let placement = plan.placement(&case.files(), destination, |object| FileIdentity {
        path: FilePath::from(format!("/{object}").as_str()),
        mtime_ns: None,
    });
    assert_eq!(placement.files.len() as u64, plan.held.objects);
    assert!(
        placement
            .files
            .windows(2)
            .all(|pair| pair[0].reason.saved_us_per_byte >= pair[1].reason.saved_us_per_byte)
    );
    let file = &placement.files[0];
    assert_eq!(
        (file.order, file.site.as_str(), file.node.as_str()),
        (0, "busy", "web1")
    );
    // 2800 accesses train, 3.6 s apart: 1000 an hour, of which a file of the busy site has 0.9 / 20 on average.
    let hourly: f64 = placement
        .files
        .iter()
        .filter_map(|file| file.reason.requests_per_hour)
        .sum();
    assert!((900.0..=1001.0).contains(&hourly), "{hourly}");
}

#[test]
fn what_is_held_already_costs_nothing_to_keep() {
    let case = busy_and_quiet();
    let first = case.plan(&options(10 * 4096)).expect("a plan");
    let previous = first.nodes[0]
        .objects
        .iter()
        .map(|held| held.object)
        .collect();
    let again = case
        .plan(&PlanOptions {
            previous,
            ..options(10 * 4096)
        })
        .expect("a plan");
    assert!(first.moved_bytes > 0);
    assert_eq!(again.moved_bytes, 0);
}

#[test]
fn the_curve_has_the_asked_memory_and_ends_where_everything_fits() {
    let case = busy_and_quiet();
    let plan = case.plan(&PlanOptions::new(10 * 4096 + 5)).expect("a plan");
    assert!(
        plan.curve
            .windows(2)
            .all(|pair| pair[0].memory_bytes < pair[1].memory_bytes)
    );
    let asked = plan
        .curve
        .iter()
        .find(|point| point.memory_bytes == plan.memory_bytes)
        .expect("the asked memory");
    assert_eq!(asked.plan, plan.total.held_out[Arm::Plan]);
    assert_eq!(
        plan.curve.last().map(|point| point.memory_bytes),
        Some(40 * 4096)
    );
}

/// What is held of the files of `case`, from their heat alone.
fn selected(case: &Case, heat: &[f64], pages: u64, terms: &[SiteTerms]) -> Vec<u32> {
    let (memory, backing) = (profile("memory"), [profile("hdd")]);
    let costs = ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    let values = Values::new(&case.files(), &costs, terms).expect("values");
    let heat = heat.iter().enumerate();
    let ranking = Ranking::new(&values, heat.map(|(id, &heat)| (id as u32, heat)));
    let budget = Budget {
        pages,
        reserved_pages: &reserved_pages(terms),
    };
    select(&values, &ranking, budget).objects().to_vec()
}

proptest! {
    #[test]
    fn a_catalogue_and_the_heat_of_its_files_hold_what_a_plan_holds(
        case in any_case(2),
        memory in 1u64..60,
        reserved in 0u64..60,
        weight in 0.5f64..2.0,
    ) {
        let terms = [
            SiteTerms { weight, reservation_bytes: reserved.min(memory) * 4096 },
            SiteTerms::default(),
        ];
        let asked = PlanOptions { terms: terms.to_vec(), ..options(memory * 4096) };
        let plan = case.plan(&asked).expect("a plan");
        // Else files of the site with the larger weight count more than their heat.
        prop_assume!(plan.rejected.is_none());
        let held: Vec<u32> = plan.nodes[0].objects.iter().map(|held| held.object).collect();
        let mut heat = vec![0.0; case.sizes.len()];
        case.accesses[..plan.training_accesses as usize]
            .iter()
            .for_each(|&object| heat[object as usize] += 1.0);
        let pages = (memory as f64 * plan.nodes[0].share) as u64;
        prop_assert_eq!(selected(&case, &heat, pages, &terms), held);
    }
}
