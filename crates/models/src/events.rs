//! What is to happen, in the order of its time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Event {
    /// A reader goes on.
    Reader(u32),
    /// A disk has served a request.
    Served {
        /// The disk.
        disk: u32,
        /// The request.
        request: u32,
    },
    /// A scheduler that let its disk idle chooses anew.
    Chooses {
        /// The disk.
        disk: u32,
    },
}

/// Events to come. Those of one time come in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(crate) struct Events {
    /// The first of all. A lone reader's next event is the first most of the time, and never sees the heap.
    first: Option<(u64, u64, Event)>,
    others: BinaryHeap<Reverse<(u64, u64, Event)>>,
    added: u64,
}

impl Events {
    /// Has `event` happen at a time, nanoseconds.
    pub fn at(&mut self, time_ns: u64, event: Event) {
        self.added += 1;
        let new = (time_ns, self.added, event);
        let is_first = |it: &Self| it.others.peek().is_none_or(|Reverse(other)| new < *other);
        match self.first {
            Some(first) if first < new => self.others.push(Reverse(new)),
            Some(first) => {
                self.others.push(Reverse(first));
                self.first = Some(new);
            }
            None if is_first(self) => self.first = Some(new),
            None => self.others.push(Reverse(new)),
        }
    }

    /// The next event and its time.
    pub fn next(&mut self) -> Option<(u64, Event)> {
        let next = self.first.take();
        let next = next.or_else(|| self.others.pop().map(|Reverse(event)| event));
        next.map(|(time_ns, _, event)| (time_ns, event))
    }

    /// Events added so far.
    pub fn added(&self) -> u64 {
        self.added
    }
}
