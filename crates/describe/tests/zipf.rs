//! The Zipf interval covers the exponent a trace was generated with.

use std::collections::BTreeMap;

use hotset_describe::zipf::{self, NoZipf, ZipfFit};
use hotset_describe::{DescribeOptions, Description, describe};
use hotset_trace::{Method, Protocol, Request, Trace};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// The spectrum of [`counts`].
fn spectrum(alpha: f64, objects: usize, requests: usize, seed: u64) -> Vec<(u64, u64)> {
    spectrum_of(&counts(alpha, objects, requests, seed))
}

/// Counts of `requests` draws over `objects` objects with probabilities i^-alpha.
fn counts(alpha: f64, objects: usize, requests: usize, seed: u64) -> Vec<u64> {
    let weight = |rank: usize| (rank as f64).powf(-alpha);
    let cumulative: Vec<f64> = (1..=objects)
        .scan(0.0, |sum, rank| {
            *sum += weight(rank);
            Some(*sum)
        })
        .collect();
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let mut counts = vec![0_u64; objects];
    for _ in 0..requests {
        let drawn = random.random::<f64>() * cumulative[objects - 1];
        counts[cumulative
            .partition_point(|&sum| sum <= drawn)
            .min(objects - 1)] += 1;
    }
    counts
}

fn spectrum_of(counts: &[u64]) -> Vec<(u64, u64)> {
    let mut spectrum = BTreeMap::new();
    for &count in counts.iter().filter(|&&count| count > 0) {
        *spectrum.entry(count).or_insert(0) += 1;
    }
    spectrum.into_iter().collect()
}

fn fits(alpha: f64, traces: u64) -> Vec<ZipfFit> {
    (0..traces)
        .map(|seed| zipf::fit(&spectrum(alpha, 5_000, 50_000, seed)).unwrap())
        .collect()
}

/// Of 30 intervals that cover with probability 0.95, fewer than 25 do so with probability 0.003.
#[test]
fn whole_and_head_intervals_cover_the_truth() {
    for alpha in [0.6, 1.0] {
        let fits = fits(alpha, 30);
        let whole = fits
            .iter()
            .filter(|fit| fit.low <= alpha && alpha <= fit.high)
            .count();
        let heads: Vec<_> = fits.iter().filter_map(|fit| fit.head.as_ref()).collect();
        let head = heads
            .iter()
            .filter(|fit| fit.low <= alpha && alpha <= fit.high)
            .count();
        assert!(whole >= 25, "alpha {alpha}: {whole} of 30");
        assert_eq!(heads.len(), 30);
        assert!(head >= 25, "alpha {alpha}: {head} of 30 heads");
    }
}

#[test]
fn intervals_are_narrow() {
    for fit in fits(0.8, 3) {
        assert!(fit.high - fit.low < 0.05, "{fit:?}");
        assert!(
            fit.head
                .as_ref()
                .is_some_and(|head| head.high - head.low < 0.1),
            "{fit:?}"
        );
    }
}

#[test]
fn the_head_is_cut_at_a_count() {
    let spectrum = spectrum(0.9, 5_000, 50_000, 1);
    let head = zipf::fit(&spectrum).unwrap().head.unwrap();
    let objects: u64 = spectrum
        .iter()
        .filter(|(count, _)| *count >= head.least_accesses)
        .map(|(_, n)| n)
        .sum();
    assert_eq!(head.objects, objects);
}

#[test]
fn no_exponent_without_objects_or_without_differences() {
    assert_eq!(zipf::fit(&[]), None);
    assert_eq!(zipf::fit(&[(7, 1)]), None);
    assert_eq!(zipf::fit(&[(1, 100_000)]), None);
    assert_eq!(zipf::fit(&[(1, 20), (5, 2)]), None);
}

/// Whatever the counts, the fit ends, and what it says is in order.
#[test]
fn odd_spectra_give_an_ordered_interval_or_none() {
    let odd: [&[(u64, u64)]; 8] = [
        &[(1, 1_000_000), (2, 1)],
        &[(1, 1), (1_000_000, 100)],
        &[(1, 60), (u64::MAX / 1024, 1)],
        &[(100, 50), (101, 50)],
        &[(10_000, 5_000), (10_001, 5_000)],
        &[(1, 50_000), (1_000_000_000, 1)],
        &[(1, 10), (2, 20), (3, 30), (4, 40)],
        &[(5, 1_000), (50, 1_000), (500, 1_000)],
    ];
    for spectrum in odd {
        if let Some(fit) = zipf::fit(spectrum) {
            assert!(
                fit.low <= fit.alpha && fit.alpha <= fit.high,
                "{spectrum:?}: {fit:?}"
            );
            assert!(
                fit.low.is_finite() && fit.high.is_finite(),
                "{spectrum:?}: {fit:?}"
            );
        }
    }
}

/// Files that are all equally popular have high counts that differ by chance alone.
#[test]
fn equal_popularity_has_no_exponent() {
    for mean in [1_000_u64, 20_000, 1_000_000] {
        let mut random = Pcg64Mcg::seed_from_u64(mean);
        let deviation = (mean as f64).sqrt();
        let counts: Vec<u64> = (0..200)
            .map(|_| {
                let normal: f64 = (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
                (mean as f64 + normal * deviation) as u64
            })
            .collect();
        assert_eq!(zipf::fit(&spectrum_of(&counts)), None, "mean {mean}");
    }
}

#[test]
fn exponents_agree_where_one_value_lies_in_every_interval() {
    let fit = |low: f64, high: f64| ZipfFit {
        alpha: (low + high) / 2.0,
        low,
        high,
        head: None,
    };
    let near = [fit(0.8, 0.9), fit(0.85, 0.95)];
    assert!(zipf::agree(&near));
    assert!(zipf::agree(near.iter().chain([&fit(0.84, 0.88)])));
    assert!(!zipf::agree(near.iter().chain([&fit(2.0, 2.2)])));
    assert!(!zipf::agree(&[fit(0.8, 0.86), fit(0.9, 0.95)]));
}

fn get(site: u16, object: u32) -> Request {
    Request {
        time_us: 0,
        client: 0,
        site,
        object,
        bytes: 100,
        status: 200,
        method: Method::Get,
        protocol: Protocol::Http11,
        access: true,
    }
}

/// The description of sites whose files have these counts of accesses.
fn described(sites: &[Vec<u64>]) -> Description {
    let mut trace = Trace::default();
    for (site, counts) in sites.iter().enumerate() {
        trace.sites.push(format!("site{site}"));
        for (file, &count) in counts.iter().enumerate() {
            let object = trace.objects.len() as u32;
            trace.objects.site.push(site as u16);
            trace.objects.size.push(100);
            trace.objects.path.push(format!("/{file}").as_bytes());
            (0..count).for_each(|_| trace.requests.push(get(site as u16, object)));
        }
    }
    describe(&trace, &DescribeOptions::default())
}

#[test]
fn sites_that_are_no_one_population_have_no_exponent_together() {
    let shop = counts(0.8, 2_000, 60_000, 1);
    let video = counts(1.2, 2_000, 3_000, 2);
    let both = described(&[shop.clone(), video]);
    assert!(both.sites.iter().all(|site| site.zipf.is_some()));
    assert!(
        both.sites
            .iter()
            .all(|site| site.zipf_missing_because.is_none())
    );
    assert_eq!(
        (both.total.zipf, both.total.zipf_missing_because),
        (None, Some(NoZipf::SeveralPopulations))
    );
    let one = described(&[shop]);
    assert!(one.total.zipf.is_some(), "one site is one population");
    assert_eq!(one.total.zipf, one.sites[0].zipf);
    let few = described(&[vec![3, 2, 1]]).total;
    assert_eq!(few.zipf_missing_because, Some(NoZipf::NotEstimable));
}

#[test]
fn a_population_split_over_two_sites_keeps_its_exponent() {
    let files = counts(0.9, 4_000, 60_000, 3);
    let half = |odd: usize| files.iter().copied().skip(odd).step_by(2).collect();
    let total = described(&[half(0), half(1)]).total;
    assert_eq!(total.zipf, described(&[files]).total.zipf);
    assert!(total.zipf.is_some());
}
