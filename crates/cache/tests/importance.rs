//! Estimates from samples drawn by importance against scans of the whole.

use crate::whole::simulate;
use hotset_cache::importance::{Estimate, Misses, SAMPLES, Scan, sampled_misses};
use hotset_cache::{CacheError, Counts, PolicyKind};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_distr::{Distribution, Zipf};
use rand_pcg::Pcg64Mcg;

/// Requests by Zipf's law for objects of uneven sizes.
fn zipf(alpha: f64, seed: u64) -> (Vec<u32>, Vec<u64>) {
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let ranks = Zipf::new(2_000.0, alpha).expect("a law");
    let requests = (0..30_000)
        .map(|_| ranks.sample(&mut random) as u32 - 1)
        .collect();
    let sizes = (0..2_000)
        .map(|_| 1 + random.random_range(0.0_f64..5.0).exp() as u64)
        .collect();
    (requests, sizes)
}

struct Weights {
    bytes: Vec<f64>,
    cost: Vec<f64>,
}

impl Weights {
    fn of(sizes: &[u64]) -> Weights {
        Weights {
            bytes: sizes.iter().map(|&size| size as f64).collect(),
            cost: sizes.iter().map(|&size| 100.0 + size as f64).collect(),
        }
    }

    fn estimate(
        &self,
        capacity: u64,
        requests: &[u32],
        sizes: &[u64],
        rate: f64,
        seed: u64,
    ) -> Misses {
        let scan = Scan {
            capacity,
            requests,
            sizes,
            weights: [&self.bytes, &self.cost],
            stop: None,
        };
        sampled_misses(&scan, rate, seed).expect("a sound trace")
    }
}

fn exact(capacity: u64, requests: &[u32], sizes: &[u64]) -> Counts {
    simulate(PolicyKind::TwoList, capacity, requests, sizes).expect("a sound trace")
}

proptest! {
    #[test]
    fn a_sample_of_all_objects_is_the_whole_scan(
        requests in prop::collection::vec(0_u32..30, 1..300),
        sizes in prop::collection::vec(1_u64..50, 30),
        capacity in 0_u64..400,
    ) {
        let exact = exact(capacity, &requests, &sizes);
        let found = Weights::of(&sizes).estimate(capacity, &requests, &sizes, 1.0, 7);
        let misses = (exact.requests - exact.hits) as f64;
        prop_assert_eq!(found.requests.value, misses);
        prop_assert_eq!((found.requests.low, found.requests.high), (misses, misses));
        prop_assert!((found.weights[0].value - (exact.bytes - exact.hit_bytes) as f64).abs() < 1e-6);
        prop_assert_eq!(found.scanned_share, 1.0);
    }

    #[test]
    fn estimates_are_possible(
        requests in prop::collection::vec(0_u32..30, 1..300),
        sizes in prop::collection::vec(1_u64..50, 30),
        capacity in 0_u64..400,
        rate in 0.01_f64..1.0,
        seed in any::<u64>(),
    ) {
        let found = Weights::of(&sizes).estimate(capacity, &requests, &sizes, rate, seed);
        let mut distinct = requests.clone();
        distinct.sort_unstable();
        distinct.dedup();
        prop_assert!(found.requests.low >= distinct.len() as f64);
        prop_assert!(found.requests.high <= requests.len() as f64);
        prop_assert!(found.requests.low <= found.requests.value && found.requests.value <= found.requests.high);
    }
}

/// Misses, their bytes and their cost in a scan of the whole.
fn misses_of_whole(capacity: u64, requests: &[u32], sizes: &[u64]) -> [f64; 3] {
    let whole = exact(capacity, requests, sizes);
    let misses = (whole.requests - whole.hits) as f64;
    let bytes = (whole.bytes - whole.hit_bytes) as f64;
    [misses, bytes, misses * 100.0 + bytes]
}

/// Each estimate, in the same order.
fn estimates(found: &Misses) -> [Estimate; 3] {
    let [bytes, cost] = found.weights;
    [found.requests, bytes, cost]
}

#[test]
fn intervals_cover_nine_of_ten_whole_scans() {
    let (mut cells, mut covered) = (0, [0; 3]);
    for (alpha, seed, large) in [(0.9, 1, 1), (0.7, 2, 1), (1.1, 3, 1), (0.9, 4, 60)] {
        let (requests, mut sizes) = zipf(alpha, seed);
        // The last of them has a few large files with most of its bytes.
        sizes.iter_mut().step_by(200).for_each(|it| *it *= large);
        let weights = Weights::of(&sizes);
        for share in [0.05, 0.2, 0.5] {
            let capacity = (sizes.iter().sum::<u64>() as f64 * share) as u64;
            let whole = misses_of_whole(capacity, &requests, &sizes);
            for seed in 0..6 {
                let found = weights.estimate(capacity, &requests, &sizes, 0.1, seed);
                cells += 1;
                for ((covered, of), exact) in covered.iter_mut().zip(estimates(&found)).zip(whole) {
                    *covered += usize::from((of.low..=of.high).contains(&exact));
                }
            }
        }
    }
    let least = covered.into_iter().min().unwrap_or(0);
    assert!(least * 10 >= cells * 9, "{covered:?} of {cells}");
}

#[test]
fn estimates_come_to_the_whole_on_average() {
    let (requests, sizes) = zipf(0.9, 6);
    let weights = Weights::of(&sizes);
    let capacity = sizes.iter().sum::<u64>() / 20;
    let whole = misses_of_whole(capacity, &requests, &sizes);
    let seeds = 40;
    let mut sums = [0.0; 3];
    for seed in 0..seeds {
        let found = weights.estimate(capacity, &requests, &sizes, 0.1, seed);
        for (sum, of) in sums.iter_mut().zip(estimates(&found)) {
            *sum += of.value;
        }
    }
    for (sum, exact) in sums.into_iter().zip(whole) {
        let mean = sum / seeds as f64;
        assert!((mean / exact - 1.0).abs() < 0.01, "{mean}, not {exact}");
    }
}

#[test]
fn every_sample_has_the_share_of_the_objects_that_was_asked() {
    // With one request each, what is scanned is the share of the objects; draws that are not of a fixed size differ.
    let requests: Vec<u32> = (0..1_000).collect();
    let sizes: Vec<u64> = (0..1_000).map(|id| 1 + id % 50).collect();
    for seed in 0..20 {
        let found = Weights::of(&sizes).estimate(100, &requests, &sizes, 0.1, seed);
        assert!((found.scanned_share - 0.1).abs() < 1e-9, "{found:?}");
    }
}

#[test]
fn sizes_and_capacities_up_to_the_largest_number_are_taken() {
    let sizes = [u64::MAX, u64::MAX / 2, u64::MAX / 1_000, 1, 0];
    let requests: Vec<u32> = (0..200).map(|at| at * 7 % 5).collect();
    for capacity in [0, 1, u64::MAX / 4, u64::MAX] {
        let found = Weights::of(&sizes).estimate(capacity, &requests, &sizes, 0.5, 1);
        assert!(found.requests.value >= 5.0 && found.requests.value <= 200.0);
    }
}

#[test]
fn a_few_large_hot_objects_do_not_mislead_it() {
    // One object has half of the requests and a third of the bytes: a sample by hash has it or not.
    let (requests, mut sizes) = zipf(0.7, 5);
    sizes[0] = sizes.iter().sum::<u64>() / 2;
    let requests: Vec<u32> = requests.into_iter().flat_map(|id| [0, id]).collect();
    let capacity = sizes.iter().sum::<u64>() / 2;
    let whole = exact(capacity, &requests, &sizes);
    let misses = (whole.requests - whole.hits) as f64;
    let found = Weights::of(&sizes).estimate(capacity, &requests, &sizes, 0.1, 1);
    let error = (found.requests.value - misses).abs() / requests.len() as f64;
    assert!(error < 0.03, "{error}: {found:?}, not {misses}");
}

#[test]
fn the_same_seed_gives_the_same_estimate_and_a_sample_scans_less() {
    let (requests, sizes) = zipf(0.7, 9);
    let weights = Weights::of(&sizes);
    let estimate = |seed| weights.estimate(3_000, &requests, &sizes, 0.1, seed);
    assert_eq!(estimate(3), estimate(3));
    assert_ne!(estimate(3), estimate(4));
    let share = estimate(3).scanned_share;
    assert!(share < 0.6, "{share}");
}

#[test]
fn how_many_objects_of_a_sample_fit_falls_with_the_capacity_and_with_the_sample() {
    let (requests, sizes) = zipf(0.9, 8);
    let held = |capacity, rate| {
        let found = Weights::of(&sizes).estimate(capacity, &requests, &sizes, rate, 1);
        found.objects_held
    };
    assert_eq!(held(1_000, 1.0), None);
    let whole = held(1_000, 0.2).expect("some stand for others");
    let half = held(500, 0.2).expect("some stand for others");
    assert!((whole / half - 2.0).abs() < 1e-9, "{whole} {half}");
    let fewer = held(1_000, 0.1).expect("some stand for others");
    assert!(fewer < whole && fewer > 0.0, "{fewer} {whole}");
}

#[test]
fn a_rate_out_of_range_is_refused() {
    let scan = Scan {
        capacity: 1,
        requests: &[0],
        sizes: &[1],
        weights: [&[1.0], &[1.0]],
        stop: None,
    };
    for rate in [0.0, -1.0, 1.5, f64::NAN] {
        let refused = sampled_misses(&scan, rate, 0);
        assert!(matches!(
            refused,
            Err(CacheError::BadSample { salts: SAMPLES, .. })
        ));
    }
}
