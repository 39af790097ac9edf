//! The policies again, written to be obviously right: plain sequences, searched from one end to the
//! other.

mod adaptive;
mod future;
pub mod page_cache;
mod recency;

pub use adaptive::{NaiveArc, NaiveS3Fifo, UnitArc};
pub use future::{NaiveBelady, most_hits};
pub use recency::{NaiveGdsf, NaiveLru, NaiveSieve, OrderedDictTwoList};

/// A cache, as [`hotset_cache::Policy`] without its limits.
pub trait Reference {
    fn access(&mut self, id: u32, size: u64) -> bool;
}

/// Objects with the sizes they were inserted with, oldest first.
pub type Queue = Vec<(u32, u64)>;

pub fn total(queue: &Queue) -> u64 {
    queue.iter().map(|entry| entry.1).sum()
}

pub fn take(queue: &mut Queue, id: u32) -> Option<(u32, u64)> {
    queue
        .iter()
        .position(|entry| entry.0 == id)
        .map(|place| queue.remove(place))
}
