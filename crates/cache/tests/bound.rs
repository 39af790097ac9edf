//! The bound for unequal sizes holds for every policy and for the best schedule there is.

#[path = "reference/mod.rs"]
#[allow(dead_code, unused_imports)]
mod reference;

use hotset_cache::{CacheError, PolicyKind, hit_bound, simulate};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_choice_of_what_to_keep_hits_more_often(
        requests in prop::collection::vec(0u32..5, 0..20),
        sizes in prop::collection::vec(1u64..8, 5),
        capacity in 0u64..20,
    ) {
        let bound = hit_bound(capacity, &requests, &sizes).unwrap();
        prop_assert!(reference::most_hits(capacity, &requests, &sizes) <= bound.hits);
        prop_assert_eq!(bound.requests, requests.len() as u64);
    }

    #[test]
    fn no_policy_hits_more_often(
        requests in prop::collection::vec(0u32..30, 0..400),
        sizes in prop::collection::vec(0u64..100, 30),
        capacity in 0u64..800,
    ) {
        let bound = hit_bound(capacity, &requests, &sizes).unwrap();
        for kind in PolicyKind::ALL {
            let counts = simulate(kind, capacity, &requests, &sizes).unwrap();
            prop_assert!(counts.hits <= bound.hits, "{} has more hits than the bound", kind);
        }
    }
}

#[test]
fn a_cache_for_everything_hits_all_but_the_first_accesses() {
    assert_eq!(hit_bound(10, &[0, 1, 0, 1, 1], &[4, 6]).unwrap().hits, 3);
}

#[test]
fn an_object_without_a_size_is_an_error() {
    let error = hit_bound(10, &[0, 2], &[4, 6]).unwrap_err();
    assert_eq!(
        error,
        CacheError::UnknownObject {
            index: 1,
            id: 2,
            objects: 2
        }
    );
}
