//! The order in which waiting requests are served.

use super::sorted_requests::SortedRequests;

/// A request older than this goes first: the deadline of reads in Linux' deadline scheduler.
const DEADLINE_NS: u64 = 500_000_000;

/// A one-way elevator with a deadline, as Linux' deadline scheduler is: the next request at or beyond the head,
/// else the first, and those that have waited too long before all others. A drive of 2004 had no queue of its own.
#[derive(Clone, Debug)]
pub struct Elevator<T> {
    waiting: SortedRequests<T>,
    /// How long a request waits at most before it goes first; without an end where it never does.
    deadline_ns: Option<u64>,
}

impl<T> Default for Elevator<T> {
    fn default() -> Self {
        Self {
            waiting: SortedRequests::default(),
            deadline_ns: Some(DEADLINE_NS),
        }
    }
}

impl<T> Elevator<T> {
    /// One that lets requests wait for as long as others are nearer.
    #[must_use]
    pub fn without_deadline() -> Self {
        Self {
            deadline_ns: None,
            ..Self::default()
        }
    }

    /// Lets a request wait.
    pub fn push(&mut self, now_ns: u64, offset: u64, request: T) {
        self.waiting.add(now_ns, offset, request);
    }

    /// Takes the one to serve next.
    pub fn pop(&mut self, now_ns: u64, head: u64) -> Option<T> {
        let overdue = self.deadline_ns.and_then(|deadline_ns| {
            self.waiting
                .oldest_before(now_ns.saturating_sub(deadline_ns))
        });
        let next = overdue
            .or_else(|| self.waiting.at_or_beyond(head))
            .or_else(|| self.waiting.at_or_beyond(0))?;
        self.waiting.remove(next)
    }

    /// How many wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}
