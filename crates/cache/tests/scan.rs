//! What holds for a scan under any policy.

use crate::whole::{scan, simulate};
use hotset_cache::{Belady, CacheError, Counts, Lru, Policy, PolicyKind, S3Fifo, Sieve, TwoList};
use proptest::prelude::*;

const OBJECTS: usize = 100_000;
/// Bytes of the caller's size column, for each object.
const SIZE_COLUMN: usize = size_of::<u64>();

fn bytes_per_object(policy: &impl Policy) -> f64 {
    // What a policy has beside its objects (ends of queues) is far below a hundredth of a byte for
    // each.
    let bytes = policy.memory_bytes() as f64 / OBJECTS as f64;
    (100.0 * bytes).floor() / 100.0 + SIZE_COLUMN as f64
}

#[test]
fn lru_and_sieve_take_at_most_24_bytes_for_each_object() {
    assert!(bytes_per_object(&Lru::new(1, OBJECTS)) <= 24.0);
    assert!(bytes_per_object(&Sieve::new(1, OBJECTS)) <= 24.0);
}

#[test]
fn memory_stays_the_same_however_long_the_trace() {
    let sizes = vec![1; OBJECTS];
    let requests: Vec<u32> = (0..3 * OBJECTS as u32)
        .map(|n| n.wrapping_mul(2_654_435_761) % OBJECTS as u32)
        .collect();
    let mut sieve = Sieve::new(1000, OBJECTS);
    let before = sieve.memory_bytes();
    scan(&mut sieve, &requests, &sizes).unwrap();
    assert_eq!(sieve.memory_bytes(), before);
}

#[test]
fn counts_have_requests_hits_and_bytes_of_both() {
    let counts = simulate(PolicyKind::Lru, 8, &[0, 1, 0, 2, 0, 0], &[4, 3, 8]).unwrap();
    assert_eq!(
        counts,
        Counts {
            requests: 6,
            hits: 2,
            bytes: 27,
            hit_bytes: 8
        }
    );
    assert!((counts.hit_ratio() - 1.0 / 3.0).abs() < 1e-12);
    assert!((counts.byte_hit_ratio() - 8.0 / 27.0).abs() < 1e-12);
}

#[test]
fn an_empty_trace_has_ratios_of_zero() {
    for kind in PolicyKind::ALL {
        let counts = simulate(kind, 8, &[], &[]).unwrap();
        assert_eq!(
            (counts.hit_ratio(), counts.byte_hit_ratio()),
            (0.0, 0.0),
            "{kind}"
        );
    }
}

#[test]
fn an_object_larger_than_the_cache_evicts_nothing() {
    for kind in PolicyKind::ALL {
        let counts = simulate(kind, 8, &[0, 1, 0, 1, 0], &[8, 9]).unwrap();
        assert_eq!(counts.hits, 2, "{kind}");
    }
}

#[test]
fn a_cache_of_nothing_never_hits() {
    for kind in PolicyKind::ALL {
        assert_eq!(
            simulate(kind, 0, &[0, 0, 0], &[1]).unwrap().hits,
            0,
            "{kind}"
        );
    }
}

#[test]
fn an_object_without_a_size_is_an_error_before_the_scan() {
    for kind in PolicyKind::ALL {
        let error = simulate(kind, 8, &[0, 1, 7], &[1, 1]).unwrap_err();
        assert_eq!(
            error,
            CacheError::UnknownObject {
                index: 2,
                id: 7,
                objects: 2
            },
            "{kind}"
        );
    }
}

#[test]
fn an_object_that_the_policy_was_not_made_for_is_an_error() {
    let error = scan(&mut TwoList::new(8, 1), &[0, 1], &[1, 1]).unwrap_err();
    assert!(
        error.to_string().contains("request 1 is for object 1"),
        "{error}"
    );
}

#[test]
fn the_greatest_sizes_and_capacities_do_not_overflow() {
    let sizes = [
        u64::MAX,
        u64::MAX / 4,
        u64::MAX / 4,
        u64::MAX / 5,
        u64::MAX / 6,
        1,
    ];
    let requests: Vec<u32> = (0..600).map(|n| n * n % 7 % 6).collect();
    for kind in PolicyKind::ALL {
        let counts = simulate(kind, u64::MAX, &requests, &sizes).unwrap();
        assert!(counts.hits > 0, "{kind}");
        assert_eq!(counts.bytes, u64::MAX);
    }
}

#[test]
fn every_policy_is_found_by_its_name_and_no_other() {
    for kind in PolicyKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
    let error = "fifo".parse::<PolicyKind>().unwrap_err().to_string();
    assert_eq!(
        error,
        "no eviction policy is called `fifo`; use one of lru, two-list, sieve, s3-fifo, arc, gdsf, belady"
    );
}

#[test]
fn belady_accessed_beyond_the_requests_it_was_given_misses() {
    let mut belady = Belady::new(8, &[0, 0], 1).unwrap();
    assert_eq!(
        [0; 4].map(|id| belady.access(id, 1)),
        [false, true, false, false]
    );
}

proptest! {
    #[test]
    fn parts_scanned_one_after_the_other_add_up_to_the_whole(
        requests in prop::collection::vec(0u32..20, 0..300),
        cut in 0.0..1.0,
    ) {
        let sizes: Vec<u64> = (1..=20).collect();
        let whole = scan(&mut S3Fifo::new(50, 20), &requests, &sizes).unwrap();
        let (first, second) = requests.split_at((cut * requests.len() as f64) as usize);
        let mut policy = S3Fifo::new(50, 20);
        let parts = [first, second].map(|part| scan(&mut policy, part, &sizes).unwrap());
        let sum = |count: fn(&Counts) -> u64| parts.iter().map(count).sum::<u64>();
        prop_assert_eq!(sum(|counts| counts.requests), whole.requests);
        prop_assert_eq!(sum(|counts| counts.hits), whole.hits);
        prop_assert_eq!(sum(|counts| counts.bytes), whole.bytes);
        prop_assert_eq!(sum(|counts| counts.hit_bytes), whole.hit_bytes);
    }
}
