//! The adaptive plan on traces whose popular set moves.

use crate::support::shifting::Shape;

/// Memory in percent of the bytes of all objects, and the part of each planner's gain that is reached there.
fn reached(shape: Shape) -> Vec<(u64, f64)> {
    let trace = shape.generate();
    let part = |percent| {
        let gains = trace.gains(trace.memory_pages(percent));
        assert!(gains.adaptive > gains.fixed, "{percent} %: {gains:?}");
        assert!(gains.moved_bytes > 0);
        // None is told more than the popularity itself.
        assert!(
            gains.adaptive < gains.knowing_popularity,
            "{percent} %: {gains:?}"
        );
        (percent, gains.adaptive / gains.knowing_shifts)
    };
    [3, 10, 30].map(part).into()
}

/// Not on every trace: the example `shifting` shows a grid. On seeds 11 to 13 of it, which nothing was chosen on, with up to
/// a million accesses, 33 of 36 cells reach nine tenths; the others are two of the three at 100 000 accesses and 3 % of
/// memory, where a renewal has seen a thousand accesses to ten thousand objects, and one at 10 % after three shifts.
#[test]
fn the_adaptive_plan_reaches_nine_tenths_of_the_gain_of_a_planner_that_knows_when_popularity_shifts()
 {
    for shifts in [2, 5] {
        let shape = Shape {
            accesses: 1_000_000,
            objects: 10_000,
            shifts,
            seed: 11,
        };
        let reached = reached(shape);
        assert!(
            reached.iter().all(|(_, part)| *part >= 0.9),
            "{shifts} shifts: {reached:?}"
        );
    }
}

#[test]
fn where_nothing_moves_the_adaptive_plan_does_no_worse_than_the_plan() {
    let shape = Shape {
        accesses: 60_000,
        objects: 600,
        shifts: 0,
        seed: 4,
    };
    let trace = shape.generate();
    let gains = trace.gains(trace.memory_pages(10));
    assert!(gains.adaptive >= gains.fixed - 0.02, "{gains:?}");
}
