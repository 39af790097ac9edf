//! The bound for unequal sizes holds for every policy and for the best schedule there is.

use crate::reference;

use crate::whole::simulate;
use hotset_cache::PolicyKind;
use proptest::prelude::*;

/// An upper bound on the hits of any policy in a cache of `capacity` units: PFOO-L of Berger,
/// Beckmann, Harchol-Balter: "Practical bounds on optimal caching with variable object sizes",
/// Proc. ACM Meas. Anal. Comput. Syst. 2(2), 2018.
///
/// To hit, an object must take its size from one request for it to the next; together that can be
/// no more than the capacity over the whole trace. Counting the cheapest such spans until that is
/// used up ignores how full the cache is at each moment, so no schedule need exist that reaches the
/// bound.
fn hit_bound(capacity: u64, requests: &[u32], sizes: &[u64]) -> u64 {
    let mut costs = span_costs(capacity, requests, sizes);
    costs.sort_unstable();
    let mut left = u128::from(capacity).saturating_mul(requests.len() as u128);
    let affordable = costs.iter().take_while(|&&cost| spend(&mut left, cost));
    affordable.count() as u64
}

/// Size times length of each span between requests for the same object; what exceeds the capacity
/// can never hit.
fn span_costs(capacity: u64, requests: &[u32], sizes: &[u64]) -> Vec<u128> {
    let mut last = vec![None; sizes.len()];
    let mut costs = Vec::with_capacity(requests.len());
    for (position, &id) in requests.iter().enumerate() {
        let size = sizes[id as usize];
        let before = last[id as usize].replace(position);
        costs.extend(
            before
                .filter(|_| size <= capacity)
                .map(|from| u128::from(size) * (position - from) as u128),
        );
    }
    costs
}

fn spend(left: &mut u128, cost: u128) -> bool {
    left.checked_sub(cost).map(|rest| *left = rest).is_some()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_choice_of_what_to_keep_hits_more_often(
        requests in prop::collection::vec(0u32..5, 0..20),
        sizes in prop::collection::vec(1u64..8, 5),
        capacity in 0u64..20,
    ) {
        let bound = hit_bound(capacity, &requests, &sizes);
        prop_assert!(reference::most_hits(capacity, &requests, &sizes) <= bound);
    }

    #[test]
    fn no_policy_hits_more_often(
        requests in prop::collection::vec(0u32..30, 0..400),
        sizes in prop::collection::vec(0u64..100, 30),
        capacity in 0u64..800,
    ) {
        let bound = hit_bound(capacity, &requests, &sizes);
        for kind in PolicyKind::ALL {
            let counts = simulate(kind, capacity, &requests, &sizes).unwrap();
            prop_assert!(counts.hits <= bound, "{} has more hits than the bound", kind);
        }
    }
}

#[test]
fn a_cache_for_everything_hits_all_but_the_first_accesses() {
    assert_eq!(hit_bound(10, &[0, 1, 0, 1, 1], &[4, 6]), 3);
}
