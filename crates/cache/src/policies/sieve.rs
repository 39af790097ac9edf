//! SIEVE: a first-in-first-out queue with a hand.

use crate::entry_sizes::EntrySizes;
use crate::policy::{MAX_CAPACITY, MAX_OBJECTS, Policy, column_bytes, touch};

/// Marks the end of the queue, and a hand that is not on it.
const NONE: u32 = u32::MAX;

const ABSENT: u8 = 0;
const NEW: u8 = 1;
const VISITED: u8 = 2;

/// Objects stay in the order they entered; a hand walks from the oldest to the newest, forgives
/// each object that was hit since it last came by, and evicts the first that was not (Zhang, Yang,
/// Yue, Vigfusson, Rashmi: "SIEVE is simpler than LRU", NSDI 2024, algorithm 1).
///
/// 17 bytes per object: link 4, size at insertion 4, state 1, and the caller's size column 8. One
/// link is enough, since the hand comes from the older neighbour of whatever it evicts. A hit reads
/// and writes one byte: the bytes of a million objects stay in a second-level cache.
pub struct Sieve {
    newer: Vec<u32>,
    sizes: EntrySizes,
    state: Vec<u8>,
    newest: u32,
    oldest: u32,
    hand: u32,
    /// The object that the hand has just passed.
    passed: u32,
    free: u64,
    capacity: u64,
}

impl Sieve {
    /// An empty cache for `capacity` units and ids below `objects`.
    pub fn new(capacity: u64, objects: usize) -> Self {
        let capacity = capacity.min(MAX_CAPACITY);
        let objects = objects.min(MAX_OBJECTS);
        Self {
            newer: vec![NONE; objects],
            sizes: EntrySizes::new(objects),
            state: vec![ABSENT; objects],
            newest: NONE,
            oldest: NONE,
            hand: NONE,
            passed: NONE,
            free: capacity,
            capacity,
        }
    }

    fn evict(&mut self) {
        self.start_over_at_the_end();
        while self.state[self.hand as usize] == VISITED {
            self.state[self.hand as usize] = NEW;
            self.passed = self.hand;
            self.hand = self.newer[self.hand as usize];
            self.start_over_at_the_end();
        }
        self.remove_at_hand();
    }

    fn start_over_at_the_end(&mut self) {
        if self.hand == NONE {
            self.hand = self.oldest;
            self.passed = NONE;
        }
    }

    fn remove_at_hand(&mut self) {
        let victim = self.hand;
        self.hand = self.newer[victim as usize];
        if self.passed == NONE {
            self.oldest = self.hand;
        } else {
            self.newer[self.passed as usize] = self.hand;
        }
        if self.newest == victim {
            self.newest = self.passed;
        }
        self.state[victim as usize] = ABSENT;
        self.free += self.sizes.get(victim);
    }

    fn insert(&mut self, id: u32, size: u64) {
        if self.newest == NONE {
            self.oldest = id;
        } else {
            self.newer[self.newest as usize] = id;
        }
        self.newest = id;
        self.newer[id as usize] = NONE;
        self.state[id as usize] = NEW;
        self.sizes.set(id, size);
        self.free -= size;
    }
}

impl Policy for Sieve {
    #[inline]
    fn access(&mut self, id: u32, size: u64) -> bool {
        let state = &mut self.state[id as usize];
        if *state != ABSENT {
            *state = VISITED;
            return true;
        }
        if size <= self.capacity {
            while self.free < size {
                self.evict();
            }
            self.insert(id, size);
        }
        false
    }

    #[inline]
    fn read_ahead(&self, ids: &[u32]) {
        touch(&self.state, ids.iter().copied());
    }

    fn objects(&self) -> usize {
        self.state.len()
    }

    fn memory_bytes(&self) -> usize {
        column_bytes(&self.newer) + self.sizes.memory_bytes() + column_bytes(&self.state)
    }
}
