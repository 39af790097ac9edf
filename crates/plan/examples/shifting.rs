//! How much of the gain of planners told of every shift the adaptive plan reaches.
//!
//! The constants of the adaptive plan were chosen on seeds 1 and 2 with up to a million accesses; other seeds are fresh.
//!
//! `cargo run --release -p hotset-plan --example shifting -- [FIRST SEED] [LAST SEED] [LARGEST TRACE]`

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a program that shows a figure"
)]

#[path = "../tests/support/mod.rs"]
#[allow(dead_code, reason = "tests use the rest")]
mod support;

use support::shifting::Shape;

/// Accesses and shifts of each trace.
const TRACES: [(u64, u64); 7] = [
    (100_000, 4),
    (1_000_000, 2),
    (1_000_000, 3),
    (1_000_000, 5),
    (2_000_000, 2),
    (2_000_000, 3),
    (2_000_000, 5),
];

/// Memory in percent of the bytes of all objects.
const MEMORY: [u64; 3] = [3, 10, 30];

fn argument(position: usize, default: u64) -> u64 {
    let text = std::env::args().nth(position);
    text.map_or(default, |text| text.parse().expect("a whole number"))
}

fn main() {
    let (first, last, largest) = (argument(1, 1), argument(2, 3), argument(3, 2_000_000));
    println!(
        "accesses shifts seed memory |  fixed adaptive told when told what | of when of what | moved MB"
    );
    let (mut of_when, mut of_what) = (Vec::new(), Vec::new());
    for (accesses, shifts) in TRACES.into_iter().filter(|trace| trace.0 <= largest) {
        for seed in first..=last {
            let trace = Shape {
                accesses,
                objects: 10_000,
                shifts,
                seed,
            }
            .generate();
            for percent in MEMORY {
                let gains = trace.gains(trace.memory_pages(percent));
                let (when, what) = (
                    gains.adaptive / gains.knowing_shifts,
                    gains.adaptive / gains.knowing_popularity,
                );
                println!(
                    "{accesses:>8} {shifts:>6} {seed:>4} {percent:>4} % | {:>6.3} {:>8.3} {:>9.3} {:>9.3} | {when:>7.3} {what:>7.3} | {:>8.1}",
                    gains.fixed,
                    gains.adaptive,
                    gains.knowing_shifts,
                    gains.knowing_popularity,
                    gains.moved_bytes as f64 / 1e6
                );
                of_when.push(when);
                of_what.push(what);
            }
        }
    }
    println!("adaptive / told when: {}", summary(&of_when));
    println!("adaptive / told what: {}", summary(&of_what));
}

fn summary(parts: &[f64]) -> String {
    let least = parts.iter().copied().fold(f64::INFINITY, f64::min);
    let mean = parts.iter().sum::<f64>() / parts.len() as f64;
    let reached = parts.iter().filter(|part| **part >= 0.9).count();
    format!(
        "mean {mean:.3}, least {least:.3}, at least 0.9 in {reached} of {} cells",
        parts.len()
    )
}
