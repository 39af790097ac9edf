//! How sure means are of runs that have the same requests.

use hotset_models::tiers::{Arrivals, Role, TiersResult, interval, simulate};
use hotset_outcome::Interval;

use crate::tiers::{closed, free_web, node, once_each};

fn width(interval: Option<Interval>) -> f64 {
    interval.map_or(0.0, |it| it.high - it.low)
}

#[test]
fn runs_of_the_same_requests_are_no_surer_than_their_batches() {
    let runs = [10.0, 10.01, 9.99, 10.0];
    assert!(width(interval(&runs, &[])) < 0.1);
    // Eight batches in a row are alike.
    let of_batch = |number: usize| {
        if (number / 8).is_multiple_of(2) {
            5.0
        } else {
            15.0
        }
    };
    let batches: Vec<f64> = (0..64).map(of_batch).collect();
    let both = interval(&runs, &vec![batches.clone(); 4]);
    assert!(width(both) > 4.0, "{both:?}");
    // Runs that are further apart than batches: nothing is gained by these.
    let apart = [5.0, 10.0, 15.0, 10.0];
    let alike = vec![vec![10.0; 64]; 4];
    assert_eq!(interval(&apart, &alike), interval(&apart, &[]));
    assert!(width(interval(&[10.0], &[batches])) > 4.0);
    assert_eq!(interval(&[10.0], &[]), None);
    assert_eq!(interval(&[], &[]), None);
}

/// Clients ask for small files and for large ones in turn, for a while each. What their seeds change is little beside that.
#[test]
fn closed_loops_are_as_sure_as_their_requests_are_alike() {
    const STRETCH: usize = 250;
    let sizes: Vec<u64> = (0..16 * STRETCH)
        .map(|row| {
            if (row / STRETCH).is_multiple_of(2) {
                1_000
            } else {
                60_000
            }
        })
        .collect();
    let tiers = closed(
        vec![node("web", Some(100), Role::Web(free_web()))],
        0,
        4,
        1_000_000,
    );
    let traffic = once_each(&sizes, Vec::new(), 2 * STRETCH);
    let run = |seed| simulate(&tiers, &traffic, seed, &|| true).unwrap();
    let runs: Vec<TiersResult> = (0..4).map(run).collect();
    assert!(runs.iter().all(|it| it.batches.len() >= 32));
    let means: Vec<f64> = runs.iter().filter_map(|it| it.total.mean_us()).collect();
    let of_seeds = width(interval(&means, &[]));
    let pooled = TiersResult::pooled(runs).unwrap();
    let response = pooled.total.latencies.response.unwrap();
    let known = response.mean_interval;
    assert!(known.unwrap().contains(response.mean_us.unwrap()));
    assert!(width(known) > 3.0 * of_seeds, "{known:?}: {of_seeds}");
}

#[test]
fn requests_by_the_times_of_a_log_have_no_batches() {
    let mut tiers = closed(vec![node("web", Some(100), Role::Web(free_web()))], 0, 4, 0);
    let sizes = vec![1_000; 200];
    let by_clients = once_each(&sizes, Vec::new(), 20);
    let simulated = simulate(&tiers, &by_clients, 0, &|| true).unwrap();
    assert!(!simulated.batches.is_empty());
    tiers.arrivals = Arrivals::Open(vec![0]);
    let times_ns = (0..200).map(|it| it * 1_000_000).collect();
    let by_times = once_each(&sizes, times_ns, 20);
    let simulated = simulate(&tiers, &by_times, 0, &|| true).unwrap();
    assert!(simulated.batches.is_empty());
}
