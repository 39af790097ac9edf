//! A set of positions in a trace.

use crate::policy::column_bytes;

const BITS: usize = u64::BITS as usize;

/// A set of numbers below a limit, with its largest element in a few steps.
///
/// Level 0 has one bit for each number; a bit of the next level says whether the word under it has
/// any. The furthest next request of a cache is found in as many steps as the trace's length has
/// 64-ary digits, where a heap would need a search in memory for each access.
pub(super) struct Positions {
    levels: Vec<Vec<u64>>,
}

impl Positions {
    /// An empty set of numbers below `limit`.
    pub(super) fn new(limit: usize) -> Self {
        let mut levels = vec![vec![0; limit.div_ceil(BITS).max(1)]];
        while let Some(words) = levels.last().map(Vec::len).filter(|&words| words > 1) {
            levels.push(vec![0; words.div_ceil(BITS)]);
        }
        Self { levels }
    }

    pub(super) fn memory_bytes(&self) -> usize {
        self.levels.iter().map(column_bytes).sum()
    }

    pub(super) fn insert(&mut self, mut number: usize) {
        for level in &mut self.levels {
            level[number / BITS] |= 1 << (number % BITS);
            number /= BITS;
        }
    }

    /// Takes `number` out; true when it was in.
    pub(super) fn remove(&mut self, mut number: usize) -> bool {
        let was_in = self.levels[0][number / BITS] >> (number % BITS) & 1 == 1;
        for level in &mut self.levels {
            let word = &mut level[number / BITS];
            *word &= !(1 << (number % BITS));
            if *word != 0 {
                break;
            }
            number /= BITS;
        }
        was_in
    }

    /// Takes the largest number out.
    pub(super) fn remove_last(&mut self) -> Option<usize> {
        let mut number = 0;
        for level in self.levels.iter().rev() {
            let word = level[number];
            let highest = word.checked_ilog2()?;
            number = number * BITS + highest as usize;
        }
        self.remove(number);
        Some(number)
    }
}
