//! A place that offers its most urgent token.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::{Discipline, Offer};
use crate::colour::Colour;

/// How urgent a token is: the least value is offered first.
pub trait Urgency: Colour {
    /// What tokens are ordered by.
    type Rank: Ord;

    /// The rank of this token.
    fn rank(&self) -> Self::Rank;
}

/// Offers the token of the least rank; of equal ones, the one that was ready first.
pub struct Priority<T: Urgency> {
    heap: BinaryHeap<RankedToken<T>>,
    added: u64,
}

struct RankedToken<T: Urgency> {
    rank: T::Rank,
    order: u64,
    token: T,
}

impl<T: Urgency> Ord for RankedToken<T> {
    /// Reversed, because the heap gives its greatest.
    fn cmp(&self, other: &Self) -> Ordering {
        let by_rank = other.rank.cmp(&self.rank);
        by_rank.then(other.order.cmp(&self.order))
    }
}

impl<T: Urgency> PartialOrd for RankedToken<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T: Urgency> PartialEq for RankedToken<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl<T: Urgency> Eq for RankedToken<T> {}

impl<T: Urgency> Default for Priority<T> {
    fn default() -> Self {
        Priority {
            heap: BinaryHeap::new(),
            added: 0,
        }
    }
}

impl<T: Urgency> Discipline for Priority<T> {
    type Token = T;
    const NAME: &str = "priority";
    const OFFERS_MANY: bool = false;

    fn add(&mut self, token: T) {
        self.added += 1;
        self.heap.push(RankedToken {
            rank: token.rank(),
            order: self.added,
            token,
        });
    }

    fn clear(&mut self) {
        self.heap.clear();
    }

    fn tokens(&self) -> Vec<&T> {
        let mut ranked: Vec<&RankedToken<T>> = self.heap.iter().collect();
        ranked.sort_unstable_by(|a, b| b.cmp(a));
        ranked.into_iter().map(|ranked| &ranked.token).collect()
    }
}

impl<T: Urgency> Offer<()> for Priority<T> {
    fn count(&self, (): &()) -> u32 {
        u32::from(!self.heap.is_empty())
    }

    fn get(&self, (): &(), _: u32) -> &T {
        &self.heap.peek().expect("an offered token is there").token
    }

    fn take(&mut self, (): &(), _: u32) -> T {
        self.heap.pop().expect("an offered token is there").token
    }
}
