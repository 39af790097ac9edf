//! Greedy-dual-size-frequency.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::policy::{MAX_CAPACITY, MAX_OBJECTS, Policy, column_bytes};

/// When an object goes: its priority as bits (priorities are positive, so their bits sort as they
/// do), then the number of the access that gave it, which is never 0 for an object in the cache.
type Rank = (u64, u64);

const ABSENT: Rank = (0, 0);

/// Evicts the object of lowest priority = floor + accesses / size, where the floor is the priority
/// of the object evicted last (Cherkasova: "Improving WWW proxies performance with
/// greedy-dual-size-frequency caching policy", HP Laboratories report HPL-98-69, 1998; cost 1 for
/// every object, which aims at the hit ratio). Equal priorities go by age of access.
///
/// A priority only ever rises while an object is cached. So a hit does not touch the heap: an entry
/// found out of date when it comes up goes back with its present rank.
pub struct Gdsf {
    ranks: Vec<Rank>,
    accesses: Vec<u32>,
    sizes: Vec<u64>,
    next_out: BinaryHeap<Reverse<(Rank, u32)>>,
    floor: f64,
    clock: u64,
    free: u64,
    capacity: u64,
}

impl Gdsf {
    /// An empty cache for `capacity` units and ids below `objects`.
    pub fn new(capacity: u64, objects: usize) -> Self {
        let objects = objects.min(MAX_OBJECTS);
        let capacity = capacity.min(MAX_CAPACITY);
        Self {
            ranks: vec![ABSENT; objects],
            accesses: vec![0; objects],
            sizes: vec![0; objects],
            next_out: BinaryHeap::new(),
            floor: 0.0,
            clock: 0,
            free: capacity,
            capacity,
        }
    }

    fn rank(&self, id: u32) -> Rank {
        let accesses = f64::from(self.accesses[id as usize]);
        let size = self.sizes[id as usize].max(1) as f64;
        ((self.floor + accesses / size).to_bits(), self.clock)
    }

    fn evict(&mut self) {
        let Some(Reverse((rank, id))) = self.next_out.pop() else {
            return;
        };
        let present = self.ranks[id as usize];
        if rank != present {
            self.next_out.push(Reverse((present, id)));
            return;
        }
        self.floor = f64::from_bits(rank.0);
        self.ranks[id as usize] = ABSENT;
        self.free += self.sizes[id as usize];
    }

    fn insert(&mut self, id: u32, size: u64) {
        while self.free < size {
            self.evict();
        }
        self.free -= size;
        self.sizes[id as usize] = size;
        self.accesses[id as usize] = 1;
        self.ranks[id as usize] = self.rank(id);
        self.next_out.push(Reverse((self.ranks[id as usize], id)));
    }
}

impl Policy for Gdsf {
    #[inline]
    fn access(&mut self, id: u32, size: u64) -> bool {
        self.clock += 1;
        if self.ranks[id as usize] != ABSENT {
            self.accesses[id as usize] = self.accesses[id as usize].saturating_add(1);
            self.ranks[id as usize] = self.rank(id);
            return true;
        }
        if size <= self.capacity {
            self.insert(id, size);
        }
        false
    }

    fn objects(&self) -> usize {
        self.ranks.len()
    }

    fn memory_bytes(&self) -> usize {
        column_bytes(&self.ranks)
            + column_bytes(&self.accesses)
            + column_bytes(&self.sizes)
            + self.next_out.capacity() * size_of::<Reverse<(Rank, u32)>>()
    }
}
