//! Least recently used.

use crate::policy::{MAX_CAPACITY, Policy, column_bytes};
use crate::queues::Queues;

const RECENCY: usize = 0;

/// Evicts the object whose last access is longest ago (Mattson, Gecsei, Slutz, Traiger: "Evaluation techniques for
/// storage hierarchies", IBM Systems Journal 9(2), 1970).
///
/// 24 bytes per object: links 8, size at insertion 8, and the caller's size column 8.
pub struct Lru {
    recency: Queues<1>,
    sizes: Vec<u64>,
    free: u64,
    capacity: u64,
}

impl Lru {
    /// An empty cache for `capacity` units and ids below `objects`.
    pub fn new(capacity: u64, objects: usize) -> Self {
        let capacity = capacity.min(MAX_CAPACITY);
        let recency = Queues::new(objects);
        let sizes = vec![0; recency.objects()];
        Self {
            recency,
            sizes,
            free: capacity,
            capacity,
        }
    }

    fn make_room(&mut self, size: u64) {
        while self.free < size {
            // Sizes in the queue and the free units add up to a capacity that is at least `size`.
            let Some(victim) = self.recency.oldest(RECENCY) else {
                return;
            };
            self.recency.remove(victim);
            self.free += self.sizes[victim as usize];
        }
    }
}

impl Policy for Lru {
    #[inline]
    fn access(&mut self, id: u32, size: u64) -> bool {
        if self.recency.contains(id) {
            self.recency.move_to(RECENCY, id);
            return true;
        }
        if size <= self.capacity {
            self.make_room(size);
            self.recency.push(RECENCY, id);
            self.sizes[id as usize] = size;
            self.free -= size;
        }
        false
    }

    fn objects(&self) -> usize {
        self.recency.objects()
    }

    fn memory_bytes(&self) -> usize {
        self.recency.memory_bytes() + column_bytes(&self.sizes)
    }
}
