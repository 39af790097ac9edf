//! Which stretches of the accesses are scored where scoring all of them takes too long.

use std::ops::Range;

/// Stretches of a part of the accesses. Their differences tell how far they are off together.
pub(crate) const STRETCHES: usize = 8;

/// Fewer accesses of a part are not scored: those of a small site would be none.
const LEAST_ACCESSES: usize = 1_000;

/// What share of the accesses is scored.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sampling {
    /// Of each part of the accesses, above 0.
    pub share: f64,
    /// Says where the stretches are.
    pub seed: u64,
}

impl Sampling {
    /// The stretches of `part`, in order: one in each of as many equal pieces of it, somewhere.
    pub fn stretches(self, part: Range<usize>) -> Vec<Range<usize>> {
        let wanted = ((part.len() as f64 * self.share) as usize).max(LEAST_ACCESSES);
        let border = |number: usize| part.start + part.len() * number / STRETCHES;
        let stretch = |number: usize| {
            let piece = border(number)..border(number + 1);
            let length = wanted.div_ceil(STRETCHES).min(piece.len());
            let start = piece.start + self.place(number, piece.len() - length);
            start..start + length
        };
        (0..STRETCHES).map(stretch).collect()
    }

    /// A place from 0 to `last`. Multiples of the golden ratio spread evenly, so that stretches of several days are not all of the same
    /// hour (Knuth, "The art of computer programming", volume 3, section 6.4).
    fn place(self, number: usize, last: usize) -> usize {
        let turn = (number as u64 + 1).wrapping_add(self.seed);
        let spread = turn.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        ((last as u128 * u128::from(spread)) >> 32) as usize
    }
}
