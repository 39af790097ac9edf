//! Every policy hits exactly where its plain reference does.

use crate::reference::*;
use crate::whole::simulate;
use hotset_cache::{Arc, Belady, Gdsf, Lru, Policy, PolicyKind, S3Fifo, Sieve, TwoList, scan};
use proptest::prelude::*;

/// A trace over a few objects, some larger than a small cache, some of size 0.
#[derive(Debug, Clone)]
struct Trace {
    requests: Vec<u32>,
    sizes: Vec<u64>,
    capacity: u64,
}

fn traces(sizes: std::ops::Range<u64>) -> impl Strategy<Value = Trace> {
    (1usize..24, 0u64..60).prop_flat_map(move |(objects, capacity)| {
        let requests = prop::collection::vec(0..objects as u32, 0..300);
        let sizes = prop::collection::vec(sizes.clone(), objects);
        (requests, sizes).prop_map(move |(requests, sizes)| Trace {
            requests,
            sizes,
            capacity,
        })
    })
}

fn hits_of(policy: &mut impl Policy, trace: &Trace) -> Vec<bool> {
    let mut hits = vec![];
    let observe = |_, hit| hits.push(hit);
    scan(policy, &trace.requests, &trace.sizes, None, observe).unwrap();
    hits
}

fn hits_of_reference(reference: &mut impl Reference, trace: &Trace) -> Vec<bool> {
    trace
        .requests
        .iter()
        .map(|&id| reference.access(id, trace.sizes[id as usize]))
        .collect()
}

macro_rules! hits_as_its_reference {
    ($($name:ident: $policy:ident, $reference:ident;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig::with_cases(512))]
            $(
                #[test]
                fn $name(trace in traces(0..20)) {
                    let hits = hits_of(&mut $policy::new(trace.capacity, trace.sizes.len()), &trace);
                    let expected = hits_of_reference(&mut $reference::new(trace.capacity), &trace);
                    prop_assert_eq!(hits, expected);
                }
            )*
        }
    };
}

hits_as_its_reference! {
    lru_hits_as_a_searched_queue: Lru, NaiveLru;
    two_list_hits_as_two_ordered_dictionaries: TwoList, OrderedDictTwoList;
    sieve_hits_as_a_searched_queue: Sieve, NaiveSieve;
    s3_fifo_hits_as_three_searched_queues: S3Fifo, NaiveS3Fifo;
    arc_hits_as_four_searched_queues: Arc, NaiveArc;
    gdsf_hits_as_a_search_for_the_lowest_priority: Gdsf, NaiveGdsf;
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn lru_and_sieve_do_the_same_in_a_unit_that_needs_more_than_32_bits(trace in traces(0..20)) {
        const UNIT: u64 = 1 << 30;
        let mut large = trace.clone();
        large.capacity *= UNIT;
        large.sizes.iter_mut().for_each(|size| *size *= UNIT);
        let objects = trace.sizes.len();
        prop_assert_eq!(
            hits_of(&mut Lru::new(large.capacity, objects), &large),
            hits_of(&mut Lru::new(trace.capacity, objects), &trace)
        );
        prop_assert_eq!(
            hits_of(&mut Sieve::new(large.capacity, objects), &large),
            hits_of(&mut Sieve::new(trace.capacity, objects), &trace)
        );
    }

    #[test]
    fn arc_with_sizes_of_one_is_the_paper_s(mut trace in traces(1..2)) {
        trace.capacity = trace.capacity % 12 + 1;
        let hits = hits_of(&mut Arc::new(trace.capacity, trace.sizes.len()), &trace);
        prop_assert_eq!(hits, hits_of_reference(&mut UnitArc::new(trace.capacity as usize), &trace));
    }

    #[test]
    fn belady_hits_as_a_search_of_the_rest_of_the_trace(trace in traces(0..20)) {
        let mut belady = Belady::new(trace.capacity, &trace.requests, trace.sizes.len()).unwrap();
        let hits = hits_of(&mut belady, &trace);
        prop_assert_eq!(hits, hits_of_reference(&mut NaiveBelady::new(trace.capacity, &trace.requests), &trace));
    }

    #[test]
    fn no_policy_beats_belady_when_all_sizes_are_equal(trace in traces(3..4)) {
        let hits = |kind| simulate(kind, trace.capacity, &trace.requests, &trace.sizes).unwrap().hits;
        let most = hits(PolicyKind::Belady);
        for kind in PolicyKind::ALL {
            prop_assert!(hits(kind) <= most, "{} has more hits than belady", kind);
        }
    }

    /// What is in a cache is in every larger one (R. L. Mattson et al., "Evaluation techniques for storage hierarchies", IBM Systems
    /// Journal 9, 1970).
    #[test]
    fn more_memory_for_lru_loses_no_hit_where_all_sizes_are_equal(trace in traces(3..4), more in 0u64..40) {
        let objects = trace.sizes.len();
        let small = hits_of(&mut Lru::new(trace.capacity, objects), &trace);
        let large = hits_of(&mut Lru::new(trace.capacity + more, objects), &trace);
        prop_assert!(small.iter().zip(&large).all(|(small, large)| *large || !small));
    }

    #[test]
    fn a_size_that_changes_later_does_not_change_what_is_accounted(
        requests in prop::collection::vec((0u32..12, 0u64..20), 0..300),
        capacity in 0u64..60,
    ) {
        macro_rules! same {
            ($($policy:ident, $reference:ident;)*) => { $(
                let (mut policy, mut reference) = ($policy::new(capacity, 12), $reference::new(capacity));
                for &(id, size) in &requests {
                    prop_assert_eq!(policy.access(id, size), reference.access(id, size), "{}", stringify!($policy));
                }
            )* };
        }
        same! {
            Lru, NaiveLru;
            TwoList, OrderedDictTwoList;
            Sieve, NaiveSieve;
            S3Fifo, NaiveS3Fifo;
            Gdsf, NaiveGdsf;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn belady_is_the_best_of_all_choices_when_sizes_are_equal(
        requests in prop::collection::vec(0u32..5, 0..24),
        capacity in 0u64..5,
    ) {
        let sizes = [1; 5];
        let counts = simulate(PolicyKind::Belady, capacity, &requests, &sizes).unwrap();
        prop_assert_eq!(counts.hits, most_hits(capacity, &requests, &sizes));
    }
}
