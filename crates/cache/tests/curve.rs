//! Miss-ratio curves against a stack that is searched for every request, and against LRU caches.

use crate::whole::{miss_ratio_curve, simulate};
use hotset_cache::{CacheError, PolicyKind, ReuseDistances, log_points};
use proptest::prelude::*;

/// Distances by Mattson's stack, most recent last.
fn stack_distances(requests: &[u32], sizes: &[u64]) -> Vec<Option<u64>> {
    let mut stack: Vec<u32> = vec![];
    let distance = |&id: &u32| {
        let place = stack.iter().position(|&one| one == id);
        let distance =
            place.map(|place| stack[place..].iter().map(|&one| sizes[one as usize]).sum());
        stack.retain(|&one| one != id);
        stack.push(id);
        distance
    };
    requests.iter().map(distance).collect()
}

fn distances(requests: &[u32], sizes: &[u64]) -> Vec<Option<u64>> {
    let mut distances = ReuseDistances::new(sizes).unwrap();
    requests.iter().map(|&id| distances.access(id)).collect()
}

fn traces(objects: u32, length: usize) -> impl Strategy<Value = (Vec<u32>, Vec<u64>)> {
    (
        prop::collection::vec(0..objects, 0..length),
        prop::collection::vec(0u64..50, objects as usize),
    )
}

fn assert_close(found: f64, expected: f64) {
    assert!(
        (found - expected).abs() < 1e-12,
        "{found} is not {expected}"
    );
}

proptest! {
    #[test]
    fn distances_are_those_of_a_searched_stack((requests, sizes) in traces(40, 400)) {
        prop_assert_eq!(distances(&requests, &sizes), stack_distances(&requests, &sizes));
    }

    #[test]
    fn the_curve_is_exact_at_its_points((requests, sizes) in traces(40, 400), points in prop::collection::vec(0u64..1500, 0..20)) {
        let curve = miss_ratio_curve(&requests, &sizes, &points).unwrap();
        let expected = stack_distances(&requests, &sizes);
        for &point in &points {
            let hits = expected.iter().filter(|distance| distance.is_some_and(|distance| distance <= point)).count();
            prop_assert!((curve.hit_ratio(point) - hits as f64 / requests.len().max(1) as f64).abs() < 1e-12);
        }
    }

    #[test]
    fn the_curve_is_that_of_lru_caches_from_the_largest_object_up((requests, sizes) in traces(20, 300), more in 0u64..200) {
        let capacity = sizes.iter().max().unwrap() + more;
        let counts = simulate(PolicyKind::Lru, capacity, &requests, &sizes).unwrap();
        let curve = miss_ratio_curve(&requests, &sizes, &[capacity]).unwrap();
        prop_assert!((curve.hit_ratio(capacity) - counts.hit_ratio()).abs() < 1e-12);
    }

    #[test]
    fn below_the_largest_object_the_curve_never_has_more_hits_than_lru((requests, sizes) in traces(20, 300), capacity in 0u64..50) {
        let counts = simulate(PolicyKind::Lru, capacity, &requests, &sizes).unwrap();
        let curve = miss_ratio_curve(&requests, &sizes, &[capacity]).unwrap();
        prop_assert!(curve.hit_ratio(capacity) <= counts.hit_ratio() + 1e-12);
    }

    #[test]
    fn missed_bytes_are_those_of_the_requests_that_miss((requests, sizes) in traces(40, 400), point in 0u64..1500) {
        let curve = miss_ratio_curve(&requests, &sizes, &[point]).unwrap();
        let size = |id: &u32| sizes[*id as usize];
        let missed = requests.iter().zip(stack_distances(&requests, &sizes));
        let missed = missed.filter(|(_, distance)| distance.is_none_or(|distance| distance > point));
        let missed: u64 = missed.map(|(id, _)| size(id)).sum();
        let bytes: u64 = requests.iter().map(size).sum();
        let expected = if bytes == 0 { 1.0 } else { missed as f64 / bytes as f64 };
        let found = curve.points().next().unwrap().byte_miss_ratio;
        prop_assert!((found - expected).abs() < 1e-12, "{} is not {}", found, expected);
    }
}

#[test]
fn distances_survive_closing_up_the_time_slots() {
    let sizes: Vec<u64> = (0..700).map(|id| id % 13 + 1).collect();
    let requests: Vec<u32> = (0..20_000u32)
        .map(|n| n.wrapping_mul(2_654_435_761) >> 7)
        .map(|n| n % 700 % (n % 699 + 1))
        .collect();
    assert_eq!(
        distances(&requests, &sizes),
        stack_distances(&requests, &sizes)
    );
}

#[test]
fn an_lru_cache_refuses_what_pushes_everything_out_of_the_curve_s_stack() {
    let (requests, sizes) = ([0, 1, 0], [4, 100]);
    assert_eq!(
        simulate(PolicyKind::Lru, 50, &requests, &sizes)
            .unwrap()
            .hits,
        1
    );
    assert_close(
        miss_ratio_curve(&requests, &sizes, &[50])
            .unwrap()
            .hit_ratio(50),
        0.0,
    );
}

#[test]
fn between_its_points_the_curve_is_that_of_the_point_below() {
    let curve = miss_ratio_curve(&[0, 0, 1, 0], &[4, 6], &[12, 4]).unwrap();
    assert_close(curve.hit_ratio(3), 0.0);
    assert_close(curve.hit_ratio(4), 0.25);
    assert_close(curve.hit_ratio(11), 0.25);
    assert_close(curve.hit_ratio(12), 0.5);
    assert_close(curve.miss_ratio(u64::MAX), 0.5);
}

#[test]
fn a_curve_without_requests_or_points_is_flat() {
    assert_close(
        miss_ratio_curve(&[], &[], &[1, 2]).unwrap().miss_ratio(2),
        1.0,
    );
    assert_close(
        miss_ratio_curve(&[0, 0], &[1], &[]).unwrap().miss_ratio(2),
        1.0,
    );
}

#[test]
fn bad_traces_are_errors() {
    let unknown = miss_ratio_curve(&[3], &[1], &[1]).unwrap_err();
    assert_eq!(
        unknown,
        CacheError::UnknownObject {
            index: 0,
            id: 3,
            objects: 1
        }
    );
    let large = miss_ratio_curve(&[0, 1], &[u64::MAX, 1], &[1]).unwrap_err();
    assert_eq!(large, CacheError::SizesTooLarge(2));
}

#[test]
fn log_points_rise_from_the_smallest_to_the_largest() {
    assert_eq!(log_points(10, 10_000, 4), [10, 100, 1000, 10_000]);
    assert_eq!(log_points(5, 5, 3), [5]);
    assert_eq!(log_points(0, 0, 0), [1]);
}
