//! S3-FIFO: three first-in-first-out queues.

use crate::policy::{MAX_CAPACITY, Policy, column_bytes};
use crate::sized_queues::SizedQueues;

const SMALL: usize = 0;
const MAIN: usize = 1;
const GHOST: usize = 2;

/// The small queue gets a tenth of the cache (the paper's choice).
const SMALL_SHARE: u64 = 10;
/// Accesses are counted up to here, in two bits as in the paper.
const MOST_ACCESSES: u8 = 3;
/// An object that leaves the small queue with more accesses than this enters the main queue
/// (algorithm 1, `evictS`).
const ACCESSES_TO_STAY: u8 = 1;

/// New objects pass through a small queue and reach the main one only if they were hit more than
/// once there; those that were not are remembered without their content for as long as it takes to
/// fill the main queue, and enter it directly when asked for again (Yang, Zhang, Qiu, Yue, Vinayak:
/// "FIFO queues are all you need for cache eviction", SOSP 2023, algorithm 1).
///
/// The paper counts objects; here each queue's share is of the capacity in units, and the ghost
/// queue remembers objects that would take as much as the main queue holds.
pub struct S3Fifo {
    queues: SizedQueues<3>,
    accesses: Vec<u8>,
    small_share: u64,
    capacity: u64,
}

impl S3Fifo {
    /// An empty cache for `capacity` units and ids below `objects`.
    pub fn new(capacity: u64, objects: usize) -> Self {
        let capacity = capacity.min(MAX_CAPACITY);
        let queues = SizedQueues::new(objects);
        let accesses = vec![0; queues.objects()];
        Self {
            queues,
            accesses,
            small_share: capacity / SMALL_SHARE,
            capacity,
        }
    }

    fn insert(&mut self, id: u32, size: u64) {
        let was_ghost = self.queues.place(id) == Some(GHOST);
        if was_ghost {
            self.queues.remove(id);
        }
        while self.used() > self.capacity - size {
            self.evict();
        }
        self.accesses[id as usize] = 0;
        self.queues
            .push(if was_ghost { MAIN } else { SMALL }, id, size);
    }

    fn used(&self) -> u64 {
        self.queues.used(SMALL) + self.queues.used(MAIN)
    }

    fn evict(&mut self) {
        let small_is_short = self.queues.used(SMALL) < self.small_share;
        let spare_small = small_is_short || self.queues.oldest(SMALL).is_none();
        // An empty main queue leaves the small one to evict from, whatever its share.
        if !(spare_small && self.evict_from_main()) {
            self.evict_from_small();
        }
    }

    fn evict_from_small(&mut self) {
        let Some(id) = self.queues.oldest(SMALL) else {
            return;
        };
        if self.accesses[id as usize] > ACCESSES_TO_STAY {
            self.accesses[id as usize] = 0;
            self.queues.move_to(MAIN, id);
        } else {
            self.queues.move_to(GHOST, id);
            self.trim_ghosts();
        }
    }

    fn trim_ghosts(&mut self) {
        while self.queues.used(GHOST) > self.capacity - self.small_share {
            self.queues.drop_oldest(GHOST);
        }
    }

    /// Evicts the oldest object that was not hit since it entered or last came round; false when
    /// there is none at all.
    fn evict_from_main(&mut self) -> bool {
        while let Some(id) = self.queues.oldest(MAIN) {
            let accesses = &mut self.accesses[id as usize];
            if *accesses == 0 {
                return self.queues.drop_oldest(MAIN);
            }
            *accesses -= 1;
            self.queues.move_to(MAIN, id);
        }
        false
    }
}

impl Policy for S3Fifo {
    #[inline]
    fn access(&mut self, id: u32, size: u64) -> bool {
        if matches!(self.queues.place(id), Some(SMALL | MAIN)) {
            let accesses = &mut self.accesses[id as usize];
            *accesses = (*accesses + 1).min(MOST_ACCESSES);
            return true;
        }
        if size <= self.capacity {
            self.insert(id, size);
        }
        false
    }

    fn objects(&self) -> usize {
        self.queues.objects()
    }

    fn memory_bytes(&self) -> usize {
        self.queues.memory_bytes() + column_bytes(&self.accesses)
    }
}
