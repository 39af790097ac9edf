//! Block bootstrap intervals cover what they claim on correlated requests.

use hotset_outcome::{Bootstrap, CostSeries, mean_interval, ratio_interval};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

const HIT_US: f64 = 5.0;
const MISS_US: f64 = 10_000.0;
/// Of 200 intervals that cover with probability 0.94, fewer than 180 do so with probability 0.01.
const FEWEST: u64 = 180;

/// Costs of a cache whose hits and misses come in runs: the state is kept with probability `stay`,
/// else drawn anew with miss probability `miss`. A second cache misses half of what the first misses.
fn cached_costs(
    requests: usize,
    stay: f64,
    miss: f64,
    random: &mut Pcg64Mcg,
) -> (CostSeries, CostSeries) {
    let (mut first, mut second) = (CostSeries::default(), CostSeries::default());
    let mut state = (false, false);
    for _ in 0..requests {
        if random.random::<f64>() >= stay {
            let missed = random.random::<f64>() < miss;
            state = (missed, missed && random.random::<f64>() < 0.5);
        }
        first.push(if state.0 { MISS_US } else { HIT_US });
        second.push(if state.1 { MISS_US } else { HIT_US });
    }
    (first, second)
}

fn covered(cases: u64, requests: usize, stay: f64, miss: f64) -> (u64, u64) {
    let mean = |miss: f64| miss * MISS_US + (1.0 - miss) * HIT_US;
    let (mut ratios, mut means) = (0, 0);
    for seed in 0..cases {
        let (a, b) = cached_costs(requests, stay, miss, &mut Pcg64Mcg::seed_from_u64(seed));
        let bootstrap = Bootstrap {
            resamples: 400,
            ..Bootstrap::seeded(seed)
        };
        ratios += u64::from(
            ratio_interval(&b, &a, &bootstrap)
                .unwrap()
                .contains(mean(miss / 2.0) / mean(miss)),
        );
        means += u64::from(mean_interval(&a, &bootstrap).unwrap().contains(mean(miss)));
    }
    (ratios, means)
}

#[test]
fn intervals_cover_the_truth_on_correlated_requests() {
    for (requests, stay) in [
        (3_000, 0.0),
        (3_000, 0.8),
        (20_000, 0.95),
        (20_000, 0.99),
        (600, 0.5),
    ] {
        let (ratios, means) = covered(200, requests, stay, 0.2);
        assert!(
            ratios >= FEWEST && means >= FEWEST,
            "{requests} requests, stay {stay}: {ratios} and {means} of 200"
        );
    }
}

#[test]
fn joined_cells_keep_totals_and_lengths() {
    let mut series = CostSeries::default();
    (0..10_001).for_each(|cost| series.push(f64::from(cost)));
    assert_eq!(series.requests(), 10_001);
    assert_eq!(series.mean(), Some(50_005_000.0 / series.requests() as f64));
    let interval = mean_interval(&series, &Bootstrap::seeded(1)).unwrap();
    assert!(interval.contains(series.mean().unwrap()));
}

#[test]
fn a_constant_ratio_has_an_interval_of_no_width() {
    let (mut a, mut b) = (CostSeries::default(), CostSeries::default());
    for cost in 1..500 {
        a.push(f64::from(cost));
        b.push(2.0 * f64::from(cost));
    }
    let interval = ratio_interval(&a, &b, &Bootstrap::seeded(7)).unwrap();
    assert!(
        (interval.low - 0.5).abs() < 1e-9 && (interval.high - 0.5).abs() < 1e-9,
        "{interval:?}"
    );
}

#[test]
fn nothing_to_resample_has_no_interval() {
    let (empty, mut one, mut free) = (
        CostSeries::default(),
        CostSeries::default(),
        CostSeries::default(),
    );
    one.push(3.0);
    free.push(0.0);
    free.push(0.0);
    let bootstrap = Bootstrap::seeded(0);
    assert_eq!(mean_interval(&empty, &bootstrap), None);
    assert_eq!(mean_interval(&one, &bootstrap), None);
    assert_eq!(
        ratio_interval(&one, &free, &bootstrap),
        None,
        "unequal lengths"
    );
    assert_eq!(
        ratio_interval(&free, &free, &bootstrap),
        None,
        "baseline costs nothing"
    );
    assert_eq!(
        mean_interval(&free, &bootstrap).map(|i| (i.low, i.high)),
        Some((0.0, 0.0))
    );
}

#[test]
fn the_seed_decides_the_interval() {
    let (a, b) = cached_costs(5_000, 0.5, 0.3, &mut Pcg64Mcg::seed_from_u64(1));
    let interval = |seed| ratio_interval(&b, &a, &Bootstrap::seeded(seed)).unwrap();
    assert_eq!(interval(3), interval(3));
    assert_ne!(interval(3), interval(4));
}
