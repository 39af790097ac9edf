//! A bit for each of many things.

/// Bits of a word.
const WORD: u64 = u64::BITS as u64;

/// Bits by number; those beyond what was set so far are clear.
#[derive(Clone, Debug, Default)]
pub(super) struct Bits {
    words: Vec<u64>,
    /// A bit for each word that has one. Without it, a sync of one page would pass over all words of its file.
    some: Vec<u64>,
}

impl Bits {
    /// Has so many bits, all clear, unless it has as many already.
    pub fn reach(&mut self, bits: u64) {
        let words = bits.div_ceil(WORD) as usize;
        if self.words.len() < words {
            self.words.resize(words, 0);
            self.some.resize((words as u64).div_ceil(WORD) as usize, 0);
        }
    }

    #[inline]
    pub fn has(&self, number: u64) -> bool {
        let word = self.words.get((number / WORD) as usize);
        word.is_some_and(|word| word >> (number % WORD) & 1 == 1)
    }

    /// Nothing happens to a bit that was never reached.
    #[inline]
    pub fn set(&mut self, number: u64, is_set: bool) {
        let place = number / WORD;
        if let Some(word) = self.words.get_mut(place as usize) {
            put(word, number % WORD, is_set);
            put(
                &mut self.some[(place / WORD) as usize],
                place % WORD,
                *word != 0,
            );
        }
    }

    /// The first from `from` on and before `end` that is set here and not in `without`.
    pub fn first(&self, from: u64, end: u64, without: &Self) -> Option<u64> {
        let mut at = from;
        while at < end {
            let place = at / WORD;
            let set = *self.words.get(place as usize)?;
            let others = without.words.get(place as usize).copied().unwrap_or(0);
            let left = set & !others & (u64::MAX << (at % WORD));
            if left != 0 {
                let found = place * WORD + u64::from(left.trailing_zeros());
                return (found < end).then_some(found);
            }
            at = self.next_word(place + 1)? * WORD;
        }
        None
    }

    /// The first word from `from` on that has a bit.
    fn next_word(&self, from: u64) -> Option<u64> {
        let mut from = from;
        loop {
            let of_words = *self.some.get((from / WORD) as usize)?;
            let left = of_words & (u64::MAX << (from % WORD));
            if left != 0 {
                return Some(from / WORD * WORD + u64::from(left.trailing_zeros()));
            }
            from = (from / WORD + 1) * WORD;
        }
    }
}

#[inline]
fn put(word: &mut u64, place: u64, is_set: bool) {
    let bit = 1 << place;
    *word = *word & !bit | if is_set { bit } else { 0 };
}
