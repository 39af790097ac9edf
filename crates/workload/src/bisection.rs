//! Equations without a closed form, solved by halving an interval.

use std::ops::Range;

/// The end of the part of `interval` on which `holds`, a condition that holds up to some value and not beyond it,
/// after so many halvings.
pub(crate) fn last_where(interval: Range<f64>, halvings: u32, holds: impl Fn(f64) -> bool) -> f64 {
    let Range { mut start, mut end } = interval;
    for _ in 0..halvings {
        let middle = f64::midpoint(start, end);
        if holds(middle) {
            start = middle
        } else {
            end = middle
        }
    }
    start
}
