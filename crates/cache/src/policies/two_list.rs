//! The page cache of Linux, on whole files.

use crate::policy::{MAX_CAPACITY, Policy};
use crate::sized_queues::SizedQueues;

const INACTIVE: usize = 0;
const ACTIVE: usize = 1;

/// Two lists, inactive and active, as the page cache of Linux keeps them (Gorman, "Understanding
/// the Linux Virtual Memory Manager", 2004, chapter 10; `mm/swap.c` and `mm/vmscan.c`), on whole
/// files instead of pages.
///
/// A miss enters the inactive list; a hit there moves the object to the active list. To make room,
/// while the active list is the larger one its oldest object goes back to the young end of the
/// inactive list; then the oldest inactive object is evicted, which can be the one that has just
/// entered.
pub struct TwoList {
    lists: SizedQueues<2>,
    capacity: u64,
}

impl TwoList {
    /// An empty cache for `capacity` units and ids below `objects`.
    pub fn new(capacity: u64, objects: usize) -> Self {
        let capacity = capacity.min(MAX_CAPACITY);
        Self {
            lists: SizedQueues::new(objects),
            capacity,
        }
    }

    /// Changes how much fits from now on; evicts at once what no longer does.
    pub fn resize(&mut self, capacity: u64) {
        self.capacity = capacity.min(MAX_CAPACITY);
        self.shrink();
    }

    fn over_capacity(&self) -> bool {
        self.lists.used(INACTIVE) + self.lists.used(ACTIVE) > self.capacity
    }

    fn shrink(&mut self) {
        while self.over_capacity() {
            while self.lists.used(ACTIVE) > self.lists.used(INACTIVE) {
                self.lists.shift(ACTIVE, INACTIVE);
            }
            self.lists.drop_oldest(INACTIVE);
        }
    }
}

impl Policy for TwoList {
    #[inline]
    fn access(&mut self, id: u32, size: u64) -> bool {
        if self.lists.place(id).is_some() {
            self.lists.move_to(ACTIVE, id);
            return true;
        }
        if size <= self.capacity {
            self.lists.push(INACTIVE, id, size);
            self.shrink();
        }
        false
    }

    fn objects(&self) -> usize {
        self.lists.objects()
    }

    fn memory_bytes(&self) -> usize {
        self.lists.memory_bytes()
    }
}
