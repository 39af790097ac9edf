//! The order in which waiting requests are served.

use std::collections::BTreeMap;

/// A request older than this goes first: the deadline of reads in Linux' deadline scheduler.
const DEADLINE_NS: u64 = 500_000_000;

/// A one-way elevator with a deadline, as Linux' deadline scheduler is: the next request at or beyond the head,
/// else the first, and those that have waited too long before all others. A drive of 2004 had no queue of its own.
#[derive(Clone, Debug)]
pub struct Elevator<T> {
    /// The only one that waits, with its arrival and place. It goes next in any case, so that no map is filled and emptied for
    /// each request of a lone reader.
    alone: Option<(u64, u64, T)>,
    by_place: BTreeMap<(u64, u64), T>,
    by_arrival: BTreeMap<u64, (u64, u64)>,
    arrivals: u64,
}

impl<T> Default for Elevator<T> {
    fn default() -> Self {
        Self {
            alone: None,
            by_place: BTreeMap::new(),
            by_arrival: BTreeMap::new(),
            arrivals: 0,
        }
    }
}

impl<T> Elevator<T> {
    /// Lets a request wait.
    pub fn push(&mut self, now_ns: u64, offset: u64, request: T) {
        if self.is_empty() {
            self.alone = Some((now_ns, offset, request));
            return;
        }
        if let Some((at_ns, offset, first)) = self.alone.take() {
            self.sort_in(at_ns, offset, first);
        }
        self.sort_in(now_ns, offset, request);
    }

    fn sort_in(&mut self, now_ns: u64, offset: u64, request: T) {
        self.arrivals += 1;
        self.by_place.insert((offset, self.arrivals), request);
        self.by_arrival.insert(self.arrivals, (now_ns, offset));
    }

    /// Takes the one to serve next.
    pub fn pop(&mut self, now_ns: u64, head: u64) -> Option<T> {
        if let Some((_, _, request)) = self.alone.take() {
            return Some(request);
        }
        let key = self
            .overdue(now_ns)
            .or_else(|| self.ahead(head))
            .or_else(|| self.first())?;
        self.by_arrival.remove(&key.1);
        self.by_place.remove(&key)
    }

    /// How many wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_place.len() + usize::from(self.alone.is_some())
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.alone.is_none() && self.by_place.is_empty()
    }

    fn overdue(&self, now_ns: u64) -> Option<(u64, u64)> {
        let (arrival, (at_ns, offset)) = self.by_arrival.first_key_value()?;
        (now_ns.saturating_sub(*at_ns) > DEADLINE_NS).then_some((*offset, *arrival))
    }

    fn ahead(&self, head: u64) -> Option<(u64, u64)> {
        self.by_place.range((head, 0)..).next().map(|(key, _)| *key)
    }

    fn first(&self) -> Option<(u64, u64)> {
        self.by_place.first_key_value().map(|(key, _)| *key)
    }
}
