//! Sizes and popularity have the rank correlation that was asked for.

use hotset_trace::Trace;
use hotset_workload::{
    CLASS_SIZE_CORRELATION, CLASSES, GenerateError, Generator, Load, SIZE_CORRELATION_TOLERANCE,
    Shifting, Zipf,
};
use proptest::prelude::*;

fn zipf(objects: u32, size_correlation: f64) -> Zipf {
    // Far more bytes than files, so that hardly two have one size.
    let working_set = u64::from(objects) << 20;
    let load = Load::new(0, 100.0);
    Zipf {
        size_correlation,
        ..Zipf::new(0.9, objects, working_set, load)
    }
}

/// Mean rank of each of `values` in rising order, those that are equal sharing theirs: as a textbook has it.
fn midranks(values: &[u64]) -> Vec<f64> {
    let below = |value| values.iter().filter(|&&other| other < value).count() as f64;
    let equal = |value| values.iter().filter(|&&other| other == value).count() as f64;
    let rank = |&value: &u64| below(value) + (equal(value) + 1.0) / 2.0;
    values.iter().map(rank).collect()
}

/// Spearman's rank correlation: Pearson's, of the ranks.
fn spearman(a: &[u64], b: &[u64]) -> f64 {
    let (a, b) = (midranks(a), midranks(b));
    let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
    let (mean_a, mean_b) = (mean(&a), mean(&b));
    let product = |a: &[f64], mean_a: f64, b: &[f64], mean_b: f64| -> f64 {
        let both = a.iter().zip(b);
        both.map(|(a, b)| (a - mean_a) * (b - mean_b)).sum()
    };
    let variances = product(&a, mean_a, &a, mean_a) * product(&b, mean_b, &b, mean_b);
    product(&a, mean_a, &b, mean_b) / variances.sqrt()
}

/// Of sizes and popularity, which falls along `by_rank`.
fn correlation(sizes: &[u64], by_rank: &[u32]) -> f64 {
    let sizes: Vec<u64> = by_rank.iter().map(|&id| sizes[id as usize]).collect();
    let popularity: Vec<u64> = (0..sizes.len() as u64).rev().collect();
    spearman(&sizes, &popularity)
}

fn sizes(generator: &impl Generator, seed: u64) -> Vec<u64> {
    generator.generate(seed).expect("a trace").objects.size
}

fn in_order(objects: u32) -> Vec<u32> {
    (0..objects).collect()
}

/// The tolerance for so many files.
fn tolerance(objects: u32) -> f64 {
    let count = f64::from(objects);
    SIZE_CORRELATION_TOLERANCE.max(12.0 / (count * (count + 1.0)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn the_rank_correlation_is_as_asked(
        objects in 2u32..400,
        wanted in -1.0..=1.0f64,
        seed in any::<u64>(),
    ) {
        let of = zipf(objects, wanted);
        let found = correlation(&sizes(&of, seed), &in_order(objects));
        // Two of the smallest files may have one size.
        let slack = tolerance(objects) + 1e-4;
        prop_assert!((found - wanted).abs() <= slack, "{found}, not {wanted}");
    }

    #[test]
    fn sizes_are_the_same_in_another_order(
        objects in 1u32..400,
        wanted in -1.0..=1.0f64,
        seed in any::<u64>(),
    ) {
        let sorted = |correlation| {
            let mut sizes = sizes(&zipf(objects, correlation), seed);
            sizes.sort_unstable();
            sizes
        };
        prop_assert_eq!(sorted(wanted), sorted(0.0));
    }
}

#[test]
fn at_the_ends_size_follows_popularity_to_the_letter() {
    for objects in [1, 2, 3, 500] {
        let rising = sizes(&zipf(objects, -1.0), 7);
        assert!(rising.is_sorted(), "{objects} files");
        let falling = sizes(&zipf(objects, 1.0), 7);
        assert!(falling.is_sorted_by(|a, b| a >= b), "{objects} files");
    }
}

#[test]
fn one_seed_gives_one_order_and_another_seed_another() {
    let of = zipf(300, -0.6);
    assert_eq!(sizes(&of, 1), sizes(&of, 1));
    assert_ne!(sizes(&of, 1), sizes(&of, 2));
}

#[test]
fn a_hundred_thousand_files_take_no_minute() {
    let many = 100_000;
    let found = sizes(&zipf(many, -0.7), 1);
    // Spearman's own formula, as the plain reference takes the square of the number.
    let mut by_size = in_order(many);
    by_size.sort_by_key(|&id| found[id as usize]);
    let differences = by_size.iter().zip(0..);
    let squares: f64 = differences
        .map(|(&id, place): (&u32, u32)| (f64::from(id) - f64::from(place)).powi(2))
        .sum();
    let count = f64::from(many);
    let of_ranks = 1.0 - 6.0 * squares / (count * (count * count - 1.0));
    assert!(
        (of_ranks - 0.7).abs() < 2.0 * SIZE_CORRELATION_TOLERANCE,
        "{of_ranks}"
    );
}

/// Mean of a request over that of a file, by the popularity that is drawn from.
fn share_of_the_mean(of: &Zipf, seed: u64) -> f64 {
    let sizes = sizes(of, seed);
    let weight = |rank: usize| ((rank + 1) as f64).powf(-of.alpha);
    let weights: f64 = (0..sizes.len()).map(weight).sum();
    let weighed = sizes.iter().enumerate();
    let request: f64 = weighed
        .map(|(rank, &size)| weight(rank) * size as f64)
        .sum();
    let file = sizes.iter().sum::<u64>() as f64 / sizes.len() as f64;
    request / weights / file
}

#[test]
fn popular_files_of_the_classes_are_small() {
    for class in 0..CLASSES.len() {
        let of = Zipf::class(class, Load::new(0, 100.0)).expect("a class");
        for seed in 0..10 {
            let share = share_of_the_mean(&of, seed);
            assert!(share <= 0.6, "class {class}, seed {seed}: {share}");
        }
        let found = correlation(&sizes(&of, 1), &in_order(of.objects));
        assert!((found - CLASS_SIZE_CORRELATION).abs() < 2.0 * SIZE_CORRELATION_TOLERANCE);
    }
}

#[test]
fn popularity_keeps_its_correlation_with_size_when_it_shifts() {
    for (wanted, share) in [(-0.9, 1.0), (-0.5, 1.0), (0.5, 0.5)] {
        let of = Shifting {
            zipf: zipf(600, wanted),
            shift_every: 10,
            share,
        };
        let sizes = sizes(&of, 3);
        let orders: Vec<Vec<u32>> = of.objects_by_rank(3).take(4).collect();
        for order in &orders {
            let found = correlation(&sizes, order);
            // A part that is dealt has the correlation of itself, not of the whole.
            let slack = if share < 1.0 {
                0.1
            } else {
                2.0 * SIZE_CORRELATION_TOLERANCE
            };
            assert!((found - wanted).abs() < slack, "{found}, not {wanted}");
        }
        let stayed = orders[0].iter().zip(&orders[1]).filter(|(a, b)| a == b);
        assert!(stayed.count() < 400, "{wanted}: popularity must shift");
    }
}

#[test]
fn a_shift_of_shuffled_sizes_leaves_no_file_at_its_rank() {
    let of = Shifting {
        zipf: zipf(600, 0.0),
        shift_every: 10,
        share: 1.0,
    };
    let orders: Vec<Vec<u32>> = of.objects_by_rank(3).take(2).collect();
    assert!(orders[0].iter().zip(&orders[1]).all(|(a, b)| a != b));
}

#[test]
fn what_is_no_correlation_is_refused() {
    let refused = |made: Result<Trace, GenerateError>| match made {
        Err(GenerateError::Parameter { name, .. }) => assert_eq!(name, "size correlation"),
        other => panic!("{:?}", other.err()),
    };
    for wrong in [-1.001, 1.5, f64::NAN, f64::INFINITY] {
        refused(zipf(10, wrong).generate(1));
    }
    for end in [-1.0, 1.0] {
        let fixed = Shifting {
            zipf: zipf(10, end),
            shift_every: 10,
            share: 1.0,
        };
        refused(fixed.generate(1));
    }
}
