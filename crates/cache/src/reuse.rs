//! Byte reuse distances.

mod recency_sums;

use crate::CacheError;
use crate::policy::{MAX_OBJECTS, column_bytes};
use recency_sums::RecencySums;

/// Marks an object that has not been accessed.
const NEVER: u32 = u32::MAX;

/// Fewest time slots: below this the slots cost nothing.
const FEWEST_SLOTS: usize = 1 << 10;

/// Measures, request by request, how large an LRU cache each request needs to be a hit: the sizes
/// of the distinct objects accessed since the last request for the same object, and its own (the
/// stack distance of Mattson et al., IBM Systems Journal 9(2), 1970, in bytes).
///
/// The time of last access of each object is a slot in a line of twice as many slots as objects; a
/// tree over the line sums sizes (after Bennett, Kruskal: "LRU stack processing", IBM Journal of
/// Research and Development 19(4), 1975). When the line is full, the objects close up to its start.
pub struct ReuseDistances<'a> {
    sizes: &'a [u64],
    /// The slot of each object's last access.
    last: Vec<u32>,
    /// The object that took each slot, which may have left it for a later one.
    taken_by: Vec<u32>,
    slots: usize,
    sums: RecencySums,
}

impl<'a> ReuseDistances<'a> {
    /// No access so far to the objects of the given sizes.
    ///
    /// # Errors
    /// [`CacheError::SizesTooLarge`] when the sizes do not add up within 64 bits or there are more
    /// than half of [`MAX_OBJECTS`].
    pub fn new(sizes: &'a [u64]) -> Result<Self, CacheError> {
        let total = sizes
            .iter()
            .try_fold(0u64, |sum, &size| sum.checked_add(size));
        if total.is_none() || sizes.len() > MAX_OBJECTS / 2 {
            return Err(CacheError::SizesTooLarge(sizes.len()));
        }
        let slots = (2 * sizes.len()).max(FEWEST_SLOTS);
        Ok(Self {
            sizes,
            last: vec![NEVER; sizes.len()],
            taken_by: Vec::with_capacity(slots),
            slots,
            sums: RecencySums::new(slots),
        })
    }

    /// The distance of a request for object `id`, which must have a size; `None` on its first
    /// access.
    #[inline]
    pub fn access(&mut self, id: u32) -> Option<u64> {
        if self.taken_by.len() == self.slots {
            self.close_up();
        }
        let size = self.sizes[id as usize];
        let slot = self.taken_by.len() as u32;
        let before = std::mem::replace(&mut self.last[id as usize], slot);
        self.taken_by.push(id);
        if before == NEVER {
            self.sums.add(slot as usize, size);
            return None;
        }
        Some(size + self.sums.move_to(before as usize, slot as usize, size))
    }

    /// Bytes of memory allocated. Not counted is the caller's size column.
    pub fn memory_bytes(&self) -> usize {
        column_bytes(&self.last) + column_bytes(&self.taken_by) + self.sums.memory_bytes()
    }

    /// Renumbers the slots so that only those of last accesses remain, in order.
    fn close_up(&mut self) {
        let mut kept = 0;
        for slot in 0..self.taken_by.len() {
            let id = self.taken_by[slot];
            if self.last[id as usize] == slot as u32 {
                self.last[id as usize] = kept as u32;
                self.taken_by[kept] = id;
                kept += 1;
            }
        }
        self.taken_by.truncate(kept);
        self.sums
            .refill(self.taken_by.iter().map(|&id| self.sizes[id as usize]));
    }
}
