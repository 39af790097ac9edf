//! Scans that are asked to end.

use crate::whole;
use hotset_cache::importance::{Scan, sampled_misses};
use hotset_cache::shards::{Sampling, sampled_curve};
use hotset_cache::{CacheError, PolicyKind, Stop, miss_ratio_curve, simulate};

#[test]
fn a_scan_ends_where_it_is_asked_to_and_nowhere_else() {
    let (requests, sizes) = ((0..10_000).map(|at| at % 50).collect::<Vec<u32>>(), [1; 50]);
    for policy in PolicyKind::ALL {
        let stop = Stop::default();
        let whole = simulate(policy, 20, &requests, &sizes, Some(&stop), |_, _| {});
        assert_eq!(whole, whole::simulate(policy, 20, &requests, &sizes));
        let mut seen = 0;
        let ended = simulate(policy, 20, &requests, &sizes, Some(&stop), |at, _| {
            seen += 1;
            if at == 500 {
                stop.ask();
            }
        });
        assert_eq!(ended, Err(CacheError::Interrupted), "{policy}");
        assert!((501..1000).contains(&seen), "{policy}: {seen} requests");
        let curve = miss_ratio_curve(&requests, &sizes, &[20], Some(&stop));
        assert_eq!(curve.err(), Some(CacheError::Interrupted));
    }
}

#[test]
fn samples_end_where_they_are_asked_to() {
    let (requests, sizes) = ((0..1_000).map(|at| at % 50).collect::<Vec<u32>>(), [1; 50]);
    let stop = Stop::default();
    stop.ask();
    let sampling = Sampling {
        rate: 1.0,
        salts: 2,
        seed: 0,
    };
    let curve = sampled_curve(&requests, &sizes, &[20], sampling, Some(&stop));
    assert_eq!(curve.err(), Some(CacheError::Interrupted));
    let scan = Scan {
        capacity: 20,
        requests: &requests,
        sizes: &sizes,
        weights: [&[1.0; 50], &[1.0; 50]],
        stop: Some(&stop),
    };
    let misses = sampled_misses(&scan, 1.0, 0);
    assert_eq!(misses.err(), Some(CacheError::Interrupted));
}
