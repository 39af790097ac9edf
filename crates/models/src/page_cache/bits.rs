//! A bit for each of many things.

/// Bits of a word.
const WORD: u64 = u64::BITS as u64;

/// Bits by number; those beyond what was set so far are clear.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits(Vec<u64>);

impl Bits {
    /// Has so many bits, all clear, unless it has as many already.
    pub fn reach(&mut self, bits: u64) {
        let words = bits.div_ceil(WORD) as usize;
        if self.0.len() < words {
            self.0.resize(words, 0);
        }
    }

    #[inline]
    pub fn has(&self, number: u64) -> bool {
        let word = self.0.get((number / WORD) as usize);
        word.is_some_and(|word| word >> (number % WORD) & 1 == 1)
    }

    /// Nothing happens to a bit that was never reached.
    #[inline]
    pub fn set(&mut self, number: u64, is_set: bool) {
        let bit = 1 << (number % WORD);
        if let Some(word) = self.0.get_mut((number / WORD) as usize) {
            *word = *word & !bit | if is_set { bit } else { 0 };
        }
    }

    /// The first from `from` on and before `end` that is set here and not in `without`.
    pub fn first(&self, from: u64, end: u64, without: &Self) -> Option<u64> {
        let mut at = from;
        while at < end {
            let word = (at / WORD) as usize;
            let set = *self.0.get(word)?;
            let others = without.0.get(word).copied().unwrap_or(0);
            let left = set & !others & (u64::MAX << (at % WORD));
            if left != 0 {
                let found = at / WORD * WORD + u64::from(left.trailing_zeros());
                return (found < end).then_some(found);
            }
            at = (at / WORD + 1) * WORD;
        }
        None
    }
}
