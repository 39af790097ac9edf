//! The set of markings found so far, numbered in the order in which they were found.
//!
//! All markings lie in one run of memory. A hash table leads to them: each of its slots has 32 bits of the marking's hash
//! and its number. Markings with the same bits are compared word by word, so no two are taken for one.

use super::layout::Layout;

/// Odd, with an even number of bits set: 2⁶⁴ divided by the golden ratio.
const MULTIPLIER: u64 = 0x9E37_79B9_7F4A_7C15;
/// The table is at most so full.
const FULL_PERCENT: usize = 60;

/// The set of markings found so far.
pub struct Markings {
    words: usize,
    rows: Vec<u64>,
    len: usize,
    /// A power of two of slots, probed one after the other: 32 bits of the hash, and the number plus one, or 0.
    slots: Vec<u64>,
}

/// What became of a marking that was looked for.
pub enum Lookup {
    /// It was there.
    Known(u32),
    /// It is new, and belongs into this slot.
    New { slot: usize, tag: u64 },
}

impl Markings {
    /// An empty set of markings of so many words.
    pub fn new(words: usize) -> Markings {
        Markings {
            words,
            rows: Vec::new(),
            len: 0,
            slots: vec![0; 1 << 10],
        }
    }

    pub fn len(&self) -> usize {
        self.len
    }

    #[inline]
    pub fn row(&self, number: usize) -> &[u64] {
        &self.rows[number * self.words..][..self.words]
    }

    /// Bytes that it needs.
    pub fn bytes(&self) -> u64 {
        8 * (self.rows.len() + self.slots.len()) as u64
    }

    /// Bytes that making room for so many more needs on the way.
    pub fn bytes_to_make_room(&self, more: usize) -> u64 {
        match self.has_room(more) {
            true => 0,
            false => 16 * self.slots.len() as u64,
        }
    }

    fn has_room(&self, more: usize) -> bool {
        (self.len + more) * 100 <= self.slots.len() * FULL_PERCENT
    }

    /// Makes room for so many more.
    pub fn make_room(&mut self, more: usize) {
        while !self.has_room(more) {
            let slots = vec![0; 2 * self.slots.len()];
            let old = std::mem::replace(&mut self.slots, slots);
            for entry in old.into_iter().filter(|&entry| entry != 0) {
                let slot = self.vacant(entry >> 32);
                self.slots[slot] = entry;
            }
        }
    }

    /// The first slot that a hash with these bits is looked for in.
    #[inline]
    fn home(&self, tag: u64) -> usize {
        ((tag * self.slots.len() as u64) >> 32) as usize
    }

    fn vacant(&self, tag: u64) -> usize {
        let mut slot = self.home(tag);
        while self.slots[slot] != 0 {
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        slot
    }

    /// Looks for each of some markings in its own slot, where most are; `slots` is scratch space. First all slots are read, then
    /// the first words of the markings that they lead to, so that waiting for their memory takes the time of one.
    pub fn at_home(
        &self,
        tags: &[u64],
        rows: &[u64],
        slots: &mut Vec<u64>,
        known: &mut Vec<Option<u32>>,
    ) {
        slots.clear();
        slots.extend(tags.iter().map(|&tag| self.slots[self.home(tag)]));
        let first_words = slots.iter().map(|&entry| {
            let number = (entry as u32).saturating_sub(1);
            self.rows[number as usize * self.words]
        });
        std::hint::black_box(first_words.fold(0, |all, word| all ^ word));
        known.clear();
        let looked_for = rows.chunks_exact(self.words).zip(tags).zip(&*slots);
        known.extend(
            looked_for
                .map(|((row, &tag), &entry)| self.is(entry, tag, row).then(|| entry as u32 - 1)),
        );
    }

    #[inline]
    fn is(&self, entry: u64, tag: u64, row: &[u64]) -> bool {
        if entry >> 32 != tag || entry as u32 == 0 {
            return false;
        }
        // A loop, because most markings are too short for a call that compares memory to pay.
        let known = self.row(entry as u32 as usize - 1);
        known.iter().zip(row).all(|(a, b)| a == b)
    }

    /// Looks for a marking.
    pub fn find(&self, tag: u64, row: &[u64]) -> Lookup {
        let mut slot = self.home(tag);
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                return Lookup::New { slot, tag };
            }
            if self.is(entry, tag, row) {
                return Lookup::Known(entry as u32 - 1);
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
    }

    /// Adds a marking that was not found; its number. There must be room.
    pub fn add(&mut self, slot: usize, tag: u64, row: &[u64]) -> u32 {
        let number = self.len as u32;
        self.slots[slot] = tag << 32 | u64::from(number + 1);
        self.rows.extend_from_slice(row);
        self.len += 1;
        number
    }

    /// The same markings in another layout, under the same numbers.
    pub fn in_layout(&self, from: &Layout, to: &Layout, places: usize) -> Markings {
        let mut markings = Markings::new(to.words());
        markings.make_room(self.len);
        let mut row = vec![0; to.words()];
        for number in 0..self.len {
            for place in 0..places {
                to.set(&mut row, place, from.get(self.row(number), place));
            }
            let tag = tag(&row);
            let slot = markings.vacant(tag);
            markings.add(slot, tag, &row);
        }
        markings
    }
}

/// 32 bits of a marking's hash: its words, each multiplied and folded.
#[inline]
pub fn tag(row: &[u64]) -> u64 {
    let folded = row.iter().fold(MULTIPLIER, |hash, word| {
        let product = u128::from(hash ^ word) * u128::from(MULTIPLIER);
        (product as u64 ^ (product >> 64) as u64).wrapping_add(MULTIPLIER)
    });
    // The high bits of a product depend on all bits below them.
    folded.wrapping_mul(MULTIPLIER) >> 32
}
