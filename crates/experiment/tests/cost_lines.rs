//! The cost lines of a node against times whose mean is known.

use hotset_experiment::kinds::pollution::{MeasuredCosts, Sample};

/// A disk whose position adds 4 to 20 ms, evenly, and that reads 40 bytes in a microsecond.
fn samples() -> Vec<Sample> {
    let sizes = [1_000, 20_000, 300_000, 4_000_000];
    let positions = (0..=16).map(|step| 4_000 + step * 1_000);
    positions
        .flat_map(|position_us| sizes.map(|bytes| (position_us, bytes)))
        .map(|(position_us, bytes)| Sample {
            site: 0,
            bytes,
            cold_us: position_us + bytes / 40,
            uncached_us: position_us + bytes / 40,
            cached_us: 100 + bytes / 4_000,
            held_us: Some(100),
        })
        .collect()
}

#[test]
fn a_line_goes_through_the_mean_of_times_that_spread() {
    let costs = MeasuredCosts::fit(samples()).expect("enough samples");
    let uncached = costs.backing[0].uncached;
    let near = |value: f64, truth: f64| (value / truth - 1.0).abs() < 0.01;
    assert!(near(uncached.fixed_us, 12_000.0), "{uncached:?}");
    assert!(near(uncached.bytes_per_us, 40.0), "{uncached:?}");
}

#[test]
fn files_too_small_to_show_their_size_get_a_level_line() {
    let costs = MeasuredCosts::fit(samples()).expect("enough samples");
    assert!((costs.memory.cached.fixed_us - 100.0).abs() < 1.0);
    assert!(costs.memory.cached.bytes_per_us > 1e5);
}

#[test]
fn one_sample_is_no_line() {
    assert!(MeasuredCosts::fit(samples().into_iter().take(1).collect()).is_none());
}
