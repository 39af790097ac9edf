//! Clients that wait and ask for the same files again: no site with a weight or a target may be starved by a plan for the traffic as
//! logged.

use crate::support::{Case, options};
use hotset_plan::{Lever, PageCacheModel, Plan, PlanOptions, SiteTerms};
use hotset_scenario::Objective;
use hotset_workload::{Generator, Load, Mix, Zipf};

const MIB: u64 = 1 << 20;

/// Two sites of small and of larger files, as in the pollution experiment, at a tenth of its size: what each reads again fits in
/// memory, both together do not.
fn small_beside_large() -> Case {
    let site = |class| {
        let zipf = Zipf::class(class, Load::new(3_000, 100.0)).expect("a class");
        Zipf {
            alpha: 0.9,
            size_correlation: 0.0,
            min_bytes: zipf.min_bytes / 10,
            max_bytes: zipf.max_bytes / 10,
            working_set_bytes: zipf.working_set_bytes / 10,
            ..zipf
        }
    };
    let mix = Mix {
        sites: vec![
            ("first".to_owned(), Box::new(site(2))),
            ("second".to_owned(), Box::new(site(3))),
        ],
    };
    let trace = mix.generate(1).expect("a trace");
    Case {
        accesses: trace.requests.object,
        times_us: None,
        sizes: trace.objects.size,
        site_of_object: trace.objects.site,
        sites: trace.sites,
    }
}

fn plan(options: PlanOptions) -> Plan {
    small_beside_large().plan(&options).expect("a plan")
}

fn linux(weight: f64) -> PlanOptions {
    let first = SiteTerms {
        weight,
        ..SiteTerms::default()
    };
    PlanOptions {
        terms: vec![first, SiteTerms::default()],
        groups: true,
        page_cache: PageCacheModel::Linux,
        ..options(49 * MIB)
    }
}

/// The group of the first site keeps all that its clients ask for, and nothing in it is held.
fn is_fed(plan: &Plan) -> bool {
    let first = &plan.sites[0];
    let group = first.group.map_or(0, |group| group.memory_bytes);
    first.held_objects == 0 && group > 20 * MIB
}

#[test]
fn a_site_with_a_weight_keeps_a_page_cache_that_learns_what_its_clients_repeat() {
    let weighted = plan(linux(3.0));
    let rejected = weighted.rejected.as_ref().expect("better as logged");
    assert_eq!(rejected.site, "first");
    assert!(rejected.rate < 0.95, "{rejected:?}");
    assert!(rejected.held.objects > 0, "{rejected:?}");
    assert!(is_fed(&weighted), "{:?}", weighted.sites[0].group);
    assert_ne!(weighted.lever, Lever::Files);
}

#[test]
fn a_site_with_a_target_is_not_starved_either() {
    let target = PlanOptions {
        objective: Objective::Targets,
        targets: vec![vec!["mean < 4ms".parse().expect("a target")], Vec::new()],
        ..linux(1.0)
    };
    let plan = plan(target);
    assert!(plan.rejected.is_some());
    assert!(is_fed(&plan), "{:?}", plan.sites[0].group);
}

#[test]
fn without_a_priority_the_traffic_as_logged_decides() {
    let plan = plan(linux(1.0));
    assert_eq!(plan.rejected, None);
    assert!(plan.sites[0].held_objects > 0);
}

#[test]
fn where_everything_fits_nothing_is_rejected() {
    let roomy = PlanOptions {
        memory_bytes: 400 * MIB,
        ..linux(10.0)
    };
    assert_eq!(plan(roomy).rejected, None);
}
