//! A drive's volatile cache of writes: what it has, what waits for room in it, and who waits until it is empty.

use std::collections::{BTreeSet, VecDeque};

use crate::block::Request;
use crate::disk::Elevator;

/// A write that the cache has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CachedWrite {
    /// Its number among those that the cache has taken.
    number: u64,
    pub offset: u64,
    pub bytes: u64,
}

/// The cache; none where it has no bytes.
#[derive(Debug)]
pub(super) struct WriteCache {
    capacity_bytes: u64,
    held_bytes: u64,
    /// What is not on its way to the platters yet, in the order of an elevator.
    held: Elevator<CachedWrite>,
    /// Numbers of what is not on the platters yet, and how many were taken.
    left: BTreeSet<u64>,
    taken: u64,
    /// Writes that wait for room.
    waiting: VecDeque<Request>,
    /// Flushes: the last write that each waits for, and its request.
    flushes: Vec<(u64, u32)>,
}

impl WriteCache {
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
    pub fn is_none(&self) -> bool {
        self.capacity_bytes == 0
    }

    /// Whether a request goes into the cache.
    pub fn takes(&self, request: &Request) -> bool {
        request.writes && !request.past_cache && !self.is_none()
    }

    /// Whether so many bytes have room behind what waits. An empty cache takes anything.
    pub fn has_room(&self, bytes: u64) -> bool {
        self.waiting.is_empty() && self.fits(bytes)
    }

    fn fits(&self, bytes: u64) -> bool {
        self.held_bytes == 0 || self.held_bytes + bytes <= self.capacity_bytes
    }

    /// Takes a write.
    pub fn hold(&mut self, now_ns: u64, request: &Request) {
        self.taken += 1;
        let write = CachedWrite {
            number: self.taken,
            offset: request.offset,
            bytes: request.bytes,
        };
        self.held_bytes += write.bytes;
        self.left.insert(write.number);
        self.held.push(now_ns, write.offset, write);
    }

    /// A write waits for room.
    pub fn push_waiting(&mut self, request: Request) {
        self.waiting.push_back(request);
    }

    /// The first that waits for room, where there is some now.
    pub fn pop_waiting(&mut self) -> Option<Request> {
        let first = self.waiting.front()?;
        let fits = self.fits(first.bytes);
        fits.then(|| self.waiting.pop_front()).flatten()
    }

    /// Whether somebody waits for the cache.
    pub fn is_pressed(&self) -> bool {
        !self.waiting.is_empty() || !self.flushes.is_empty()
    }

    /// Takes out what goes to the platters next, the head being at a place.
    pub fn take(&mut self, now_ns: u64, head: u64) -> Option<CachedWrite> {
        self.held.pop(now_ns, head)
    }

    /// A write has reached the platters; the requests of flushes that are done thereby.
    pub fn end(&mut self, write: CachedWrite) -> Vec<u32> {
        self.held_bytes -= write.bytes;
        self.left.remove(&write.number);
        let first = self.left.first().copied().unwrap_or(u64::MAX);
        let done = self.flushes.extract_if(.., |flush| flush.0 < first);
        done.map(|flush| flush.1).collect()
    }

    /// A flush waits for all that the cache has now; whether it has something.
    pub fn flush(&mut self, request: u32) -> bool {
        let is_filled = !self.left.is_empty();
        if is_filled {
            self.flushes.push((self.taken, request));
        }
        is_filled
    }
}
