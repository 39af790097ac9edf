//! How far a choice of files can be from the best one.

use serde::Serialize;

use super::greedy::{Budget, Room};
use super::held::HeldSet;
use super::ranking::{Candidate, Ranking};
use crate::value::Values;

/// How far a choice of objects can be from the best one of its size.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Bound {
    /// Weighted microseconds that the held objects would have saved over the training part, if none of
    /// their accesses had found the page cache.
    pub value_us: f64,
    /// No set of whole objects within the same pages and reservations saves more than this.
    pub optimum_at_most_us: f64,
    /// The difference as a share of the latter, 0 when the choice is proven best.
    pub distance: f64,
}

/// The bound for what [`super::select`] holds of `ranking` within `budget`.
pub(crate) fn bound(values: &Values, ranking: &Ranking, set: &HeldSet, budget: Budget) -> Bound {
    let candidates = ranking.candidates();
    let held = candidates.filter(|candidate| set.contains(candidate.object));
    let value_us: f64 = held.map(|candidate| candidate.value).sum();
    let optimum_at_most_us = relaxed_optimum(values, ranking, budget).max(value_us);
    Bound::new(value_us, optimum_at_most_us)
}

impl Bound {
    fn new(value_us: f64, optimum_at_most_us: f64) -> Self {
        Self {
            value_us,
            optimum_at_most_us,
            distance: if optimum_at_most_us > 0.0 {
                1.0 - value_us / optimum_at_most_us
            } else {
                0.0
            },
        }
    }

    /// That of two nodes together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self::new(
            self.value_us + other.value_us,
            self.optimum_at_most_us + other.optimum_at_most_us,
        )
    }
}

/// Optimum with parts of objects: every site fills its reservation with its best pages, then the best
/// pages left fill the rest. Each site's value is concave in its pages, so no exchange improves on that.
fn relaxed_optimum(values: &Values, ranking: &Ranking, budget: Budget) -> f64 {
    let room = Room::new(values, ranking.objects(), budget);
    let (mut free, mut reserved) = (room.free(), room.reserved);
    let mut total = 0.0;
    for &Candidate { object, value, .. } in ranking.candidates() {
        let pages = values.pages(object);
        let own = &mut reserved[values.site(object)];
        let from_reservation = pages.min(*own);
        *own -= from_reservation;
        let from_rest = (pages - from_reservation).min(free);
        free -= from_rest;
        total += value * (from_reservation + from_rest) as f64 / pages as f64;
    }
    total
}
