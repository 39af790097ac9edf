//! Which blocks a pass at random has read.

/// Bits of a word.
const WORD: u64 = u64::BITS as u64;

/// A bit for each block, and above it levels on which a bit says that the word below is full: the next free block is found
/// without looking at each (`lib/axmap.c` of fio is built alike).
#[derive(Clone, Debug)]
pub(super) struct BlockMap {
    levels: Vec<Vec<u64>>,
    blocks: u64,
    free: u64,
}

impl BlockMap {
    /// Of so many blocks, all free.
    pub fn new(blocks: u64) -> Self {
        let mut levels = Vec::new();
        let mut bits = blocks;
        loop {
            let words = bits.div_ceil(WORD);
            levels.push(vec![0; words as usize]);
            if words <= 1 {
                break;
            }
            bits = words;
        }
        let mut map = Self {
            levels,
            blocks,
            free: blocks,
        };
        map.fill_ends();
        map
    }

    /// Frees all.
    pub fn clear(&mut self) {
        self.levels.iter_mut().for_each(|level| level.fill(0));
        self.free = self.blocks;
        self.fill_ends();
    }

    /// Blocks that are free.
    pub fn free(&self) -> u64 {
        self.free
    }

    /// Takes up to `most` blocks from `first`, which is free, to the first that is taken; how many.
    pub fn take(&mut self, first: u64, most: u64) -> u64 {
        let end = (first + most).min(self.blocks);
        let taken = (first..end).take_while(|&block| self.set(block)).count() as u64;
        self.free -= taken;
        taken
    }

    /// The first free block from `block` on, else from the start; nothing where none is free.
    pub fn free_from(&self, block: u64) -> Option<u64> {
        self.find(block).or_else(|| self.find(0))
    }

    /// Bits behind the last one of each level are set, so that they are never found free.
    fn fill_ends(&mut self) {
        let mut bits = self.blocks;
        for level in &mut self.levels {
            if let Some(last) = level.last_mut().filter(|_| !bits.is_multiple_of(WORD)) {
                *last = u64::MAX << (bits % WORD);
            }
            bits = bits.div_ceil(WORD);
        }
    }

    /// Takes a block; whether it was free.
    fn set(&mut self, block: u64) -> bool {
        let mut at = block;
        for level in &mut self.levels {
            let (word, bit) = (&mut level[(at / WORD) as usize], 1 << (at % WORD));
            if *word & bit != 0 {
                return false;
            }
            *word |= bit;
            if *word != u64::MAX {
                break;
            }
            at /= WORD;
        }
        true
    }

    /// Up to the level that has a free bit from `block` on, and down again to the first below it.
    fn find(&self, block: u64) -> Option<u64> {
        let (mut at, mut height) = (block, 0);
        loop {
            let level = self.levels.get(height)?;
            let free = match level.get((at / WORD) as usize) {
                Some(word) => !word & (u64::MAX << (at % WORD)),
                None => 0,
            };
            if free != 0 {
                at = at / WORD * WORD + u64::from(free.trailing_zeros());
                break;
            }
            at = at / WORD + 1;
            height += 1;
        }
        let below = self.levels[..height].iter().rev();
        Some(below.fold(at, |at, level| {
            at * WORD + u64::from((!level[at as usize]).trailing_zeros())
        }))
    }
}
