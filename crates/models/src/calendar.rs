//! Calendars: where events stand until their time.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// Takes events, and gives each back at its time. How it does that is its own: [`EventQueue`] is a heap, a net has pending tokens.
pub trait Calendar<E> {
    /// Has `event` take place at a time, nanoseconds. Events of one time take place in the order in which they were added.
    fn at(&mut self, time_ns: u64, event: E);
}

/// For callers that put what was added on a calendar of their own afterwards, as code of a net does that returns tokens.
impl<E> Calendar<E> for Vec<(u64, E)> {
    fn at(&mut self, time_ns: u64, event: E) {
        self.push((time_ns, event));
    }
}

/// Events to come, in the order of their time.
#[derive(Clone, Debug)]
pub struct EventQueue<E> {
    /// The first of all. A lone reader's next event is the first most of the time, and never sees the heap.
    first: Option<Entry<E>>,
    others: BinaryHeap<Reverse<Entry<E>>>,
    added: u64,
}

/// An event, ordered by its time and by when it was added. No two are added at once, so what it is does not matter.
#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    time_ns: u64,
    number: u64,
    event: E,
}

impl<E> Entry<E> {
    #[inline]
    fn order(&self) -> (u64, u64) {
        (self.time_ns, self.number)
    }
}

impl<E> Ord for Entry<E> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.order().cmp(&other.order())
    }
}

impl<E> PartialOrd for Entry<E> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<E> PartialEq for Entry<E> {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.order() == other.order()
    }
}

impl<E> Eq for Entry<E> {}

impl<E> Default for EventQueue<E> {
    fn default() -> Self {
        Self {
            first: None,
            others: BinaryHeap::new(),
            added: 0,
        }
    }
}

impl<E> EventQueue<E> {
    /// The next event and its time.
    #[inline]
    pub fn pop(&mut self) -> Option<(u64, E)> {
        let next = self.first.take();
        let next = next.or_else(|| self.others.pop().map(|Reverse(entry)| entry));
        next.map(|next| (next.time_ns, next.event))
    }

    /// Events added so far.
    pub fn added(&self) -> u64 {
        self.added
    }
}

/// What it takes from others is a part of what it holds.
impl<F, E: Copy + From<F>> Calendar<F> for EventQueue<E> {
    // Else an event is written in parts and read as a whole right behind it, which waits for the parts: a third of a cached read.
    #[inline(always)]
    fn at(&mut self, time_ns: u64, event: F) {
        self.added += 1;
        let new = Entry {
            time_ns,
            number: self.added,
            event: E::from(event),
        };
        match self.first {
            Some(first) if first < new => self.others.push(Reverse(new)),
            Some(first) => {
                self.others.push(Reverse(first));
                self.first = Some(new);
            }
            None if self.others.peek().is_none_or(|it| new < it.0) => self.first = Some(new),
            None => self.others.push(Reverse(new)),
        }
    }
}
