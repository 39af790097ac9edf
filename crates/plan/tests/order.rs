//! Arms that change places with the model of the page cache.

use crate::support::{Case, any_case, options, profile};
use hotset_plan::{Arm, ArmScore, PageCacheModel, PlanOptions, ProfileCosts, Reversal, evaluate};
use proptest::prelude::*;

fn linux(pages: u64) -> PlanOptions {
    PlanOptions {
        page_cache: PageCacheModel::Linux,
        ..options(pages * 4096)
    }
}

/// The mean response with `held` beside a page cache of whole files.
fn beside_whole_files_us(case: &Case, pages: u64, held: &[u32]) -> f64 {
    let (memory, backing) = (profile("memory"), [profile("hdd")]);
    let costs = ProfileCosts {
        memory: &memory,
        backing: &backing,
        files: case.files(),
    };
    let found = evaluate(&case.workload(), &costs, &options(pages * 4096), held);
    found.expect("an evaluation").total.weighted_mean_us
}

proptest! {
    #[test]
    fn page_cache_lru_and_plan_are_reversed_where_whole_files_say_so(case in any_case(2), pages in 20u64..200) {
        let plan = case.plan(&linux(pages)).expect("a plan");
        let held: Vec<u32> = plan.nodes[0].objects.iter().map(|held| held.object).collect();
        let scores = &plan.total.held_out;
        let us = |score: &ArmScore| score.weighted_mean_us;
        let arms = [
            (Arm::PageCache, us(&scores[Arm::PageCache]), beside_whole_files_us(&case, pages, &[])),
            (Arm::Lru, us(&scores[Arm::Lru]), us(&scores[Arm::Lru])),
            (Arm::Plan, us(&scores[Arm::Plan]), beside_whole_files_us(&case, pages, &held)),
        ];
        let shorter = |a: f64, b: f64| a < b * (1.0 - 1e-9);
        for (better, us, whole_us) in arms {
            for (worse, other_us, other_whole_us) in arms {
                let reversed = shorter(us, other_us) && shorter(other_whole_us, whole_us);
                prop_assert_eq!(plan.reversals.contains(&Reversal { better, worse }), reversed, "{:?} {:?}", better, worse);
            }
        }
    }

    #[test]
    fn whole_files_reverse_nothing_of_what_they_score(case in any_case(2), pages in 1u64..200) {
        prop_assert!(case.plan(&options(pages * 4096)).expect("a plan").reversals.is_empty());
    }
}
