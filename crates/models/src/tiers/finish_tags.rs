//! Those that share something, by the virtual times at which they end: the first to end comes first.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// Those that are there, a `T` each.
pub(crate) struct FinishTags<T> {
    tagged: BinaryHeap<Tagged<T>>,
    /// How many have come.
    come: u64,
}

struct Tagged<T> {
    /// Virtual time at which it ends.
    end: f64,
    /// Of two that end together, the first to come is the first to end.
    number: u64,
    of: T,
}

impl<T> Ord for Tagged<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        let ends = other.end.total_cmp(&self.end);
        ends.then(other.number.cmp(&self.number))
    }
}

impl<T> PartialOrd for Tagged<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> PartialEq for Tagged<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T> Eq for Tagged<T> {}

impl<T> FinishTags<T> {
    /// Nobody is there.
    pub fn new() -> Self {
        Self {
            tagged: BinaryHeap::new(),
            come: 0,
        }
    }

    /// One comes that ends at this virtual time.
    pub fn push(&mut self, end: f64, of: T) {
        self.come += 1;
        let number = self.come;
        self.tagged.push(Tagged { end, number, of });
    }

    /// When the first ends.
    pub fn first_end(&self) -> Option<f64> {
        self.tagged.peek().map(|first| first.end)
    }

    /// Takes the first.
    pub fn pop(&mut self) -> Option<T> {
        self.tagged.pop().map(|first| first.of)
    }

    /// How many are there.
    pub fn len(&self) -> usize {
        self.tagged.len()
    }

    #[inline]
    pub fn is_empty(&self) -> bool {
        self.tagged.is_empty()
    }

    /// Has all of these end at `end`.
    pub fn end_at(&mut self, end: f64, mut are_meant: impl FnMut(&T) -> bool) {
        let mut tagged = std::mem::take(&mut self.tagged).into_vec();
        let meant = tagged.iter_mut().filter(|it| are_meant(&it.of));
        meant.for_each(|it| it.end = end);
        self.tagged = tagged.into();
    }
}
