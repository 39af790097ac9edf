//! A drive's volatile cache of writes: what it has, what waits for room in it, and who waits until it is empty. A drive of the lab and one of a
//! model have the same.

use std::collections::{BTreeSet, VecDeque};

use super::elevator::Elevator;

/// A write that the cache has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CachedWrite {
    /// Its number among those that the cache has taken.
    number: u64,
    /// First byte on the drive.
    pub offset: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// The cache; none where it has no bytes. Writes that wait for room are `W`s, and whoever waits for a flush is an `F`.
#[derive(Debug)]
pub struct WriteCache<W, F> {
    capacity_bytes: u64,
    held_bytes: u64,
    /// What is not on its way to the platters yet, in the order of an elevator.
    held: Elevator<CachedWrite>,
    /// Numbers of what is not on the platters yet, and how many were taken.
    left: BTreeSet<u64>,
    taken: u64,
    /// Writes that wait for room, with their bytes.
    waiting: VecDeque<(u64, W)>,
    /// Flushes: the last write that each waits for, and who waits.
    flushes: Vec<(u64, F)>,
}

impl<W, F> WriteCache<W, F> {
    /// An empty one of so many bytes.
    #[must_use]
    pub fn new(capacity_bytes: u64) -> Self {
        Self {
            capacity_bytes,
            held_bytes: 0,
            held: Elevator::default(),
            left: BTreeSet::new(),
            taken: 0,
            waiting: VecDeque::new(),
            flushes: Vec::new(),
        }
    }

    /// Whether there is no cache.
    #[must_use]
    pub fn is_none(&self) -> bool {
        self.capacity_bytes == 0
    }

    /// Whether so many bytes have room behind what waits. An empty cache takes anything.
    #[must_use]
    pub fn has_room(&self, bytes: u64) -> bool {
        self.waiting.is_empty() && self.fits(bytes)
    }

    fn fits(&self, bytes: u64) -> bool {
        self.held_bytes == 0 || self.held_bytes + bytes <= self.capacity_bytes
    }

    /// Takes a write of so many bytes at `offset`.
    pub fn hold(&mut self, now_ns: u64, offset: u64, bytes: u64) {
        self.taken += 1;
        let write = CachedWrite {
            number: self.taken,
            offset,
            bytes,
        };
        self.held_bytes += bytes;
        self.left.insert(write.number);
        self.held.push(now_ns, offset, write);
    }

    /// A write of so many bytes waits for room.
    pub fn push_waiting(&mut self, bytes: u64, write: W) {
        self.waiting.push_back((bytes, write));
    }

    /// The first that waits for room, where there is some now.
    pub fn pop_waiting(&mut self) -> Option<W> {
        let &(bytes, _) = self.waiting.front()?;
        if !self.fits(bytes) {
            return None;
        }
        self.waiting.pop_front().map(|(_, write)| write)
    }

    /// Whether somebody waits for the cache.
    #[must_use]
    pub fn is_pressed(&self) -> bool {
        !self.waiting.is_empty() || !self.flushes.is_empty()
    }

    /// Takes out what goes to the platters next, the head being at a place.
    pub fn take(&mut self, now_ns: u64, head: u64) -> Option<CachedWrite> {
        self.held.pop(now_ns, head)
    }

    /// A write has reached the platters; whose flushes are done thereby.
    pub fn end(&mut self, write: CachedWrite) -> Vec<F> {
        self.held_bytes -= write.bytes;
        self.left.remove(&write.number);
        let first = self.left.first().copied().unwrap_or(u64::MAX);
        let done = self.flushes.extract_if(.., |flush| flush.0 < first);
        done.map(|flush| flush.1).collect()
    }

    /// `waiter` waits for all that the cache has now. It is given back where that is nothing.
    pub fn flush(&mut self, waiter: F) -> Option<F> {
        if self.left.is_empty() {
            return Some(waiter);
        }
        self.flushes.push((self.taken, waiter));
        None
    }
}
