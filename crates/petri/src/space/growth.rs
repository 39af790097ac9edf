//! Places that grow without bound.
//!
//! If a marking holds all tokens of one before it, and more, then the firings between them can be repeated for ever (Karp
//! and Miller, "Parallel program schemata", Journal of Computer and System Sciences 3, 1969). That holds where more tokens
//! never hinder a firing: inhibited and reset places must hold the same in both, and so must places that offer tokens of several colours
//! in an order.

use super::contents::Contents;
use super::state_space::{End, StateSpace};

/// So many of the last markings on a way are compared with each other.
const COMPARED: usize = 1000;

impl StateSpace<'_> {
    /// A place that grows without bound, as the way to a marking shows; nothing if it does not show.
    pub(super) fn growth(&self, marking: u32) -> Option<End> {
        if !self.skeleton.is_timed && self.net.transitions.iter().any(|it| it.level > 0) {
            return None;
        }
        let way = Vec::from_iter(self.way_back(marking as usize).take(COMPARED));
        let pairs = way
            .iter()
            .enumerate()
            .flat_map(|(it, &to)| way[it + 1..].iter().map(move |&from| (from, to)));
        let mut grown = pairs.filter_map(|(from, to)| {
            let place = self.grown(from, to)?;
            Some(End::Unbounded { place, from, to })
        });
        grown.next()
    }

    /// The place that grows most from one marking to another, if what can fire from the first can fire from the second.
    fn grown(&self, from: usize, to: usize) -> Option<usize> {
        let mut grown = None;
        let mut most = 0;
        for place in 0..self.bounds.len() {
            let (few, many) = (self.tokens(from, place), self.tokens(to, place));
            if !self.covers(from, to, place) {
                return None;
            }
            if many - few > most {
                (most, grown) = (many - few, Some(place));
            }
        }
        grown
    }

    /// Whether a place holds all tokens in a marking that it holds in an earlier one, so that the same can fire.
    fn covers(&self, from: usize, to: usize, place: usize) -> bool {
        let number = |marking| self.layout.get(self.markings.row(marking), place);
        let (before, after) = (number(from), number(to));
        if before == after {
            return true;
        }
        if self.must_be_equal[place] {
            return false;
        }
        match self.colours.contents(place) {
            None => before < after,
            Some(contents) => contents.includes(after as u32, before as u32),
        }
    }
}

impl Contents {
    /// Whether a list has all tokens of another. Where they are offered in an order, they must be of one colour.
    fn includes(&self, list: u32, other: u32) -> bool {
        let (list, other) = (self.list(list), self.list(other));
        if self.is_ordered {
            return !self.has_colours() && list.len() >= other.len();
        }
        // Both are sorted.
        let mut rest = list.iter();
        other.iter().all(|token| rest.any(|it| it == token))
    }
}
