//! A file that a process has mapped (`mmap`).

/// Which extents of a file a process has mapped: a bit for each.
#[derive(Clone, Debug)]
pub(super) struct Mapping {
    pub file: u32,
    /// Whether accesses by it count when pages are reclaimed (`vma_has_recency`, `include/linux/mm_inline.h`).
    pub counts: bool,
    words: Vec<u64>,
}

impl Mapping {
    /// Of `file` with so many extents, none of which is mapped yet.
    pub fn new(file: u32, extents: u64, counts: bool) -> Self {
        Self {
            file,
            counts,
            words: vec![0; extents.div_ceil(64) as usize],
        }
    }

    /// Whether the extent with this number is mapped.
    #[inline]
    pub fn has(&self, number: u64) -> bool {
        let word = self.words.get((number / 64) as usize);
        word.is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    pub fn set(&mut self, number: u64, is_mapped: bool) {
        let bit = 1 << (number % 64);
        if let Some(word) = self.words.get_mut((number / 64) as usize) {
            *word = *word & !bit | if is_mapped { bit } else { 0 };
        }
    }

    /// Takes all extents out.
    pub fn clear(&mut self) {
        self.words.fill(0);
    }
}
