//! The order in which waiting requests are served.

use super::sorted_requests::SortedRequests;

/// A request older than this goes first: the deadline of reads in Linux' deadline scheduler.
const DEADLINE_NS: u64 = 500_000_000;

/// A one-way elevator with a deadline, as Linux' deadline scheduler is: the next request at or beyond the head,
/// else the first, and those that have waited too long before all others. A drive of 2004 had no queue of its own.
#[derive(Clone, Debug)]
pub struct Elevator<T>(SortedRequests<T>);

impl<T> Default for Elevator<T> {
    fn default() -> Self {
        Self(SortedRequests::default())
    }
}

impl<T> Elevator<T> {
    /// Lets a request wait.
    pub fn push(&mut self, now_ns: u64, offset: u64, request: T) {
        self.0.add(now_ns, offset, request);
    }

    /// Takes the one to serve next.
    pub fn pop(&mut self, now_ns: u64, head: u64) -> Option<T> {
        let overdue = self.0.oldest_before(now_ns.saturating_sub(DEADLINE_NS));
        let next = overdue
            .or_else(|| self.0.at_or_beyond(head))
            .or_else(|| self.0.at_or_beyond(0))?;
        self.0.remove(next)
    }

    /// How many wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
