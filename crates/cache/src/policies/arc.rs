//! ARC: the adaptive replacement cache.

use crate::policy::{MAX_CAPACITY, Policy};
use crate::sized_queues::SizedQueues;

/// In the cache, seen once lately: T1 of the paper.
const ONCE: usize = 0;
/// In the cache, seen at least twice lately: T2.
const OFTEN: usize = 1;
/// Evicted from [`ONCE`] and remembered without content: B1.
const GHOST_ONCE: usize = 2;
/// Evicted from [`OFTEN`] and remembered without content: B2.
const GHOST_OFTEN: usize = 3;

/// Divides the cache between objects seen once and objects seen often, and learns the division from
/// which kind it evicted too early (Megiddo, Modha: "ARC: a self-tuning, low overhead replacement
/// cache", FAST 2003, figure 4).
///
/// The paper's objects are all of size 1. With sizes, every list is measured in units; a ghost that
/// is asked for again moves the target by the object's size times the ratio of the ghost lists (at
/// least once its size), rounded down to a whole unit where the paper has a real number; room is
/// made by as many replacements as it takes; and ghosts are dropped, then objects without a trace,
/// until the paper's bounds (T1 + B1 within the capacity, all four lists within twice that) hold
/// with the new object. With all sizes 1 this is the paper's algorithm, apart from the rounding.
pub struct Arc {
    lists: SizedQueues<4>,
    /// What [`ONCE`] should take: p of the paper.
    target: u64,
    capacity: u64,
}

impl Arc {
    /// An empty cache for `capacity` units and ids below `objects`.
    pub fn new(capacity: u64, objects: usize) -> Self {
        Self {
            lists: SizedQueues::new(objects),
            target: 0,
            capacity: capacity.min(MAX_CAPACITY),
        }
    }

    fn favour_once(&mut self, size: u64) {
        let step = self.step(size, GHOST_OFTEN, GHOST_ONCE);
        self.target = self.target.saturating_add(step).min(self.capacity);
    }

    fn favour_often(&mut self, size: u64) {
        let step = self.step(size, GHOST_ONCE, GHOST_OFTEN);
        self.target = self.target.saturating_sub(step);
    }

    /// `size` times the larger of 1 and `other / hit`, the lengths of the two ghost lists before
    /// the hit.
    fn step(&self, size: u64, other: usize, hit: usize) -> u64 {
        let product = u128::from(size) * u128::from(self.lists.used(other));
        let scaled = product / u128::from(self.lists.used(hit).max(1));
        u64::try_from(scaled).unwrap_or(u64::MAX).max(size)
    }

    /// Brings a ghost back.
    fn revive(&mut self, id: u32, size: u64, ghosts: usize) {
        if ghosts == GHOST_ONCE {
            self.favour_once(size);
        } else {
            self.favour_often(size);
        }
        self.lists.remove(id);
        self.replace_until_fits(size, ghosts == GHOST_OFTEN);
        self.lists.push(OFTEN, id, size);
    }

    fn insert(&mut self, id: u32, size: u64) {
        while self.lists.used(ONCE) + self.lists.used(GHOST_ONCE) > self.capacity - size {
            let _ = self.lists.drop_oldest(GHOST_ONCE) || self.lists.drop_oldest(ONCE);
        }
        while self.used_by_all() + size > 2 * self.capacity {
            self.lists.drop_oldest(GHOST_OFTEN);
        }
        self.replace_until_fits(size, false);
        self.lists.push(ONCE, id, size);
    }

    fn used_by_all(&self) -> u64 {
        [ONCE, OFTEN, GHOST_ONCE, GHOST_OFTEN]
            .map(|list| self.lists.used(list))
            .iter()
            .sum()
    }

    fn replace_until_fits(&mut self, size: u64, was_often: bool) {
        while self.lists.used(ONCE) + self.lists.used(OFTEN) > self.capacity - size {
            self.replace(was_often);
        }
    }

    /// REPLACE of the paper: evicts into a ghost list.
    fn replace(&mut self, was_often: bool) {
        let once = self.lists.used(ONCE);
        let prefer_once = once > self.target || (was_often && once == self.target);
        let order = if prefer_once {
            [ONCE, OFTEN]
        } else {
            [OFTEN, ONCE]
        };
        let ghosts = |list| {
            if list == ONCE {
                GHOST_ONCE
            } else {
                GHOST_OFTEN
            }
        };
        let _ = order
            .into_iter()
            .any(|list| self.lists.shift(list, ghosts(list)));
    }
}

impl Policy for Arc {
    #[inline]
    fn access(&mut self, id: u32, size: u64) -> bool {
        match self.lists.place(id) {
            Some(ONCE | OFTEN) => {
                self.lists.move_to(OFTEN, id);
                return true;
            }
            _ if size > self.capacity => {}
            Some(ghosts) => self.revive(id, size, ghosts),
            None => self.insert(id, size),
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
