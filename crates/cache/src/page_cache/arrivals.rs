//! Blocks in order of arrival.

use crate::policy::column_bytes;

/// Marks an arrival that has left. Numbers of blocks are smaller.
const GONE: u32 = u32::MAX;

/// Places of the smallest ring.
const FEWEST_PLACES: usize = 64;

/// Blocks in order of arrival, in a ring. One that leaves before its turn is crossed out, and passed over later: a chain would
/// have both neighbours fetched from memory to take it out.
#[derive(Clone, Default)]
pub(super) struct Arrivals {
    /// As many as a power of two, so that numbers that wrap around keep their places.
    ring: Vec<u32>,
    /// The number of the oldest arrival.
    oldest: u32,
    /// That of the next.
    next: u32,
}

impl Arrivals {
    /// Adds `block`; the number of its arrival.
    #[inline]
    pub fn push(&mut self, block: u32) -> u32 {
        if self.len() == self.ring.len() {
            self.grow();
        }
        let (number, place) = (self.next, self.place(self.next));
        self.ring[place] = block;
        self.next = number.wrapping_add(1);
        number
    }

    /// Adds `block` as the oldest; the number of its arrival.
    pub fn push_oldest(&mut self, block: u32) -> u32 {
        if self.len() == self.ring.len() {
            self.grow();
        }
        self.oldest = self.oldest.wrapping_sub(1);
        let place = self.place(self.oldest);
        self.ring[place] = block;
        self.oldest
    }

    /// Crosses out the arrival `number`.
    #[inline]
    pub fn leave(&mut self, number: u32) {
        let place = self.place(number);
        self.ring[place] = GONE;
    }

    /// The oldest block.
    #[inline]
    pub fn oldest(&mut self) -> Option<u32> {
        while self.oldest != self.next {
            let block = self.ring[self.place(self.oldest)];
            if block != GONE {
                return Some(block);
            }
            self.pop();
        }
        None
    }

    /// Takes the oldest block out.
    #[inline]
    pub fn pop(&mut self) {
        self.oldest = self.oldest.wrapping_add(1);
    }

    /// The oldest of them, so many, and marks of those that have left.
    #[inline]
    pub fn oldest_of(&self, count: usize) -> impl Iterator<Item = u32> {
        let count = count.min(self.len()) as u32;
        (0..count).map(|index| self.ring[self.place(self.oldest.wrapping_add(index))])
    }

    /// All of them, the oldest first, and marks of those that have left.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.oldest_of(self.len())
    }

    pub fn memory_bytes(&self) -> usize {
        column_bytes(&self.ring)
    }

    #[inline]
    fn len(&self) -> usize {
        self.next.wrapping_sub(self.oldest) as usize
    }

    #[inline]
    fn place(&self, number: u32) -> usize {
        number as usize & self.ring.len().wrapping_sub(1)
    }

    #[cold]
    fn grow(&mut self) {
        let places = (2 * self.ring.len()).max(FEWEST_PLACES);
        let mut ring = vec![GONE; places];
        for index in 0..self.len() as u32 {
            let number = self.oldest.wrapping_add(index);
            ring[number as usize & (places - 1)] = self.ring[self.place(number)];
        }
        self.ring = ring;
    }
}
