//! The planner against hotset's definition written out plainly.

use crate::support::plain::{self, PlainScore};
use crate::support::{any_case, options};
use hotset_cache::{Lru, scan};
use hotset_plan::{Arm, ArmScore};
use proptest::prelude::*;

fn assert_same(seen: &ArmScore, wanted: PlainScore, arm: &str) {
    let close = |a: f64, b: f64| (a - b).abs() <= 1e-9 * b.abs().max(1.0);
    assert!(
        close(seen.mean_us, wanted.mean_us),
        "{arm}: {} us is not {}",
        seen.mean_us,
        wanted.mean_us
    );
    assert!(
        close(seen.hit_ratio, wanted.hit_ratio),
        "{arm}: {} hit is not {}",
        seen.hit_ratio,
        wanted.hit_ratio
    );
}

proptest! {
    #[test]
    fn page_cache_plan_and_clairvoyant_are_those_of_the_definition(case in any_case(1), memory in 1u64..60) {
        let plan = case.plan(&options(memory * 4096)).expect("a plan");
        let plain = plain::plan(&case.accesses, &case.sizes, memory);
        let scores = &plan.total.held_out;
        assert_same(&scores[Arm::PageCache], plain.page_cache, "page cache");
        prop_assert_eq!(plan.share, plain.plan.share);
        assert_same(&scores[Arm::Plan], plain.plan, "plan");
        // Of splits that do equally well the planner takes the one that moves least, so only the response is defined.
        prop_assert!((scores[Arm::Clairvoyant].mean_us - plain.clairvoyant.mean_us).abs() <= 1e-9 * plain.clairvoyant.mean_us);
    }

    #[test]
    fn lru_is_that_of_all_accesses(case in any_case(1), memory in 1u64..60) {
        let plan = case.plan(&options(memory * 4096)).expect("a plan");
        let pages: Vec<u64> = case.sizes.iter().map(|size| size.div_ceil(4096)).collect();
        let (training, held_out) = case.accesses.split_at((case.accesses.len() as f64 * 0.7) as usize);
        let mut lru = Lru::new(memory, pages.len());
        scan(&mut lru, training, &pages, None, |_, _| {}).expect("a scan");
        let hit_ratio = scan(&mut lru, held_out, &pages, None, |_, _| {}).expect("a scan").hit_ratio();
        prop_assert_eq!(plan.total.held_out[Arm::Lru].hit_ratio, hit_ratio);
    }

    #[test]
    fn a_plan_never_promises_less_than_the_page_cache_alone(case in any_case(3), memory in 1u64..60) {
        let plan = case.plan(&options(memory * 4096)).expect("a plan");
        prop_assert!(plan.validated.plan_mean_us <= plan.validated.page_cache_mean_us);
        prop_assert!(plan.held.pages <= memory);
        prop_assert_eq!(plan.page_cache_bytes + plan.held.pages * 4096, memory * 4096);
    }
}
