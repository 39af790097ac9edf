//! How much of the gain of a planner told of every shift the adaptive plan reaches.
//!
//! `cargo run --release -p hotset-plan --example shifting -- [ACCESSES] [OBJECTS] [SHIFTS] [ALPHA]`

#![expect(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a program that shows a figure"
)]

#[path = "../tests/support/shifting.rs"]
mod shifting;

use shifting::Shifting;

fn argument<T: std::str::FromStr>(position: usize, default: T) -> T {
    std::env::args()
        .nth(position)
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

fn main() {
    println!("memory  page cache us   fixed plan   adaptive   told   adaptive/told   moved MB");
    let shape = Shifting {
        accesses: argument(1, 400_000),
        objects: argument(2, 10_000),
        shifts: argument(3, 3),
        alpha: argument(4, 0.9),
        seed: 1,
    };
    let trace = shape.generate();
    for percent in [3, 10, 30] {
        let memory_pages = trace.pages() * percent / 100;
        let plan = trace.plan(memory_pages);
        let (scores, told) = (&plan.total.held_out, trace.told_gain(&plan, memory_pages));
        let (fixed, adaptive) = (
            scores.plan.gain.unwrap_or(0.0),
            scores.adaptive.gain.unwrap_or(0.0),
        );
        println!(
            "{percent:>5}%  {:>13.0}  {fixed:>11.3}  {adaptive:>9.3}  {told:>5.3}  {:>14.3}  {:>9.1}",
            scores.page_cache.mean_us,
            adaptive / told,
            scores.adaptive.moved_bytes.unwrap_or(0) as f64 / 1e6,
        );
    }
}
