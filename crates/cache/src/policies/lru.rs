//! Least recently used.

use crate::entry_sizes::EntrySizes;
use crate::policy::{MAX_CAPACITY, MAX_OBJECTS, Policy, column_bytes, touch};

/// Marks an object that is not in the cache.
const ABSENT: u32 = u32::MAX;

/// Log entries for each object: with two, closing up costs two steps an access at most.
const ENTRIES_PER_OBJECT: usize = 2;

/// Evicts the object whose last access is longest ago (Mattson, Gecsei, Slutz, Traiger: "Evaluation
/// techniques for storage hierarchies", IBM Systems Journal 9(2), 1970).
///
/// The order of accesses is a log that a hit appends to, leaving the object's earlier entry behind;
/// entries that are not their object's last are skipped on eviction and closed up when the log is
/// full. On a million objects this is as fast as a doubly linked list; on 20 million, which no
/// processor cache holds, it is more than twice as fast (15 against 6 M requests/s), because the
/// next victims can be read ahead where a list makes each wait for the one before.
///
/// 24 bytes per object: last entry 4, log 8, size at insertion 4, and the caller's size column 8.
pub struct Lru {
    /// Where in the log each object's last access is.
    last: Vec<u32>,
    /// Objects in order of access; those from `oldest` to `end` count.
    log: Vec<u32>,
    oldest: usize,
    end: usize,
    sizes: EntrySizes,
    free: u64,
    capacity: u64,
}

impl Lru {
    /// An empty cache for `capacity` units and ids below `objects`.
    pub fn new(capacity: u64, objects: usize) -> Self {
        let capacity = capacity.min(MAX_CAPACITY);
        // Half of the ids there can be: places in the log are numbered in 32 bits too.
        let objects = objects.min(MAX_OBJECTS / ENTRIES_PER_OBJECT);
        Self {
            last: vec![ABSENT; objects],
            log: vec![ABSENT; ENTRIES_PER_OBJECT * objects],
            oldest: 0,
            end: 0,
            sizes: EntrySizes::new(objects),
            free: capacity,
            capacity,
        }
    }

    #[inline]
    fn append(&mut self, id: u32) {
        if self.end == self.log.len() {
            self.close_up();
        }
        self.log[self.end] = id;
        self.last[id as usize] = self.end as u32;
        self.end += 1;
    }

    /// Moves the entries that are their object's last to the start of the log, in order.
    #[cold]
    fn close_up(&mut self) {
        let mut kept = 0;
        for entry in self.oldest..self.end {
            let id = self.log[entry];
            let last = &mut self.last[id as usize];
            if *last == entry as u32 {
                *last = kept as u32;
                self.log[kept] = id;
                kept += 1;
            }
        }
        self.oldest = 0;
        self.end = kept;
    }

    #[inline]
    fn evict(&mut self) {
        let id = self.log[self.oldest];
        let last = &mut self.last[id as usize];
        if *last == self.oldest as u32 {
            *last = ABSENT;
            self.free += self.sizes.get(id);
        }
        self.oldest += 1;
    }
}

impl Policy for Lru {
    #[inline]
    fn access(&mut self, id: u32, size: u64) -> bool {
        if self.last[id as usize] != ABSENT {
            self.append(id);
            return true;
        }
        if size <= self.capacity {
            while self.free < size {
                self.evict();
            }
            self.append(id);
            self.sizes.set(id, size);
            self.free -= size;
        }
        false
    }

    /// As many entries of the log as requests are consumed in the long run, by eviction.
    #[inline]
    fn read_ahead(&self, ids: &[u32]) {
        touch(&self.last, ids.iter().copied());
        let victims = &self.log[self.oldest..self.end];
        let victims = victims.iter().copied().take(ids.len());
        touch(&self.last, victims.clone());
        self.sizes.read_ahead(victims);
    }

    fn objects(&self) -> usize {
        self.last.len()
    }

    fn memory_bytes(&self) -> usize {
        column_bytes(&self.last) + column_bytes(&self.log) + self.sizes.memory_bytes()
    }
}
