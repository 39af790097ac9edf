//! Stretches of the accesses that are scored where scoring all of them takes too long.
//!
//! A page cache forgets: what it has in the middle of a long log depends on the accesses shortly before. So a stretch can be scored
//! after those alone. All files are followed, at their sizes, in all of the memory. A sample of the files instead would need a page
//! cache that is smaller by its share. The few largest files, which are most of the bytes, do not fit into that.

use std::ops::Range;

use super::prepare::Backtest;
use super::scan::{FileCache, Scan};
use crate::select::HeldSet;
use crate::value::AccessResult;

/// Stretches of a part of the accesses. Their differences tell how far they are off together.
pub(crate) const STRETCHES: usize = 8;

/// Fewer accesses of a part are not scored: those of a small site would be none.
const LEAST_ACCESSES: usize = 1_000;

/// How often over a page cache is filled by the accesses that warm it before a stretch ([`Backtest::filled_by`]). At first it has what it
/// had after the stretch before.
const FILLS: usize = 2;

/// The same before the first stretch, where it is empty.
const FIRST_FILLS: usize = 8;

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

impl Backtest<'_> {
    /// What is scored when a split is validated: the last of the training part, or stretches of it.
    pub fn validating_stretches(&self) -> Vec<Range<usize>> {
        self.scored(self.inner()..self.training)
    }

    /// What is scored of the held-out part: all of it, or stretches.
    pub fn held_out_stretches(&self) -> Vec<Range<usize>> {
        self.scored(self.training..self.workload.accesses.len())
    }

    fn scored(&self, part: Range<usize>) -> Vec<Range<usize>> {
        match self.sampling {
            Some(sampling) => sampling.stretches(part),
            None => vec![part],
        }
    }
}

/// Serves accesses while `set` is held, and tells `observe` of those in `stretches`, which follow each other: the number of the stretch,
/// the object and where it was found. The others warm the `cache`, which is empty: all before a stretch, or where it is `filled` by so
/// many accesses, as many times these as decide what it has.
pub(crate) fn serve_stretches(
    test: &Backtest,
    (set, filled): (&HeldSet, Option<usize>),
    cache: &mut impl FileCache,
    stretches: &[Range<usize>],
    mut observe: impl FnMut(usize, u32, AccessResult),
) {
    let (values, accesses) = (&test.values, test.workload.accesses);
    let (mut done, mut fills) = (0, FIRST_FILLS);
    for (number, stretch) in stretches.iter().enumerate() {
        let warming = filled.map_or(stretch.start, |filled| filled.saturating_mul(fills));
        let from = stretch.start.saturating_sub(warming).max(done);
        cache.warm(Scan::of(values, &accesses[from..stretch.start], set));
        let scored = &accesses[stretch.clone()];
        cache.serve(Scan::of(values, scored, set), |index, served| {
            observe(number, scored[index], served);
        });
        (done, fills) = (stretch.end, FILLS);
    }
}

impl Backtest<'_> {
    /// How many accesses fill the page cache beside `set`, on average over the last before `stretches`: those for files that take all
    /// of it, each counted once. Nothing where all accesses do not, where that does not tell what it has, and where stretches are no
    /// sample: then all accesses warm it.
    pub fn filled_by(&self, set: &HeldSet, stretches: &[Range<usize>]) -> Option<usize> {
        let first = stretches.first()?.start;
        // Whether a file was ever opened is remembered for good.
        if self.sampling.is_none() || self.values.has_metadata() {
            return None;
        }
        let room = self.memory_pages.saturating_sub(set.pages());
        // The last time of filling that each file was counted in.
        let mut counted = vec![0u8; self.objects()];
        let (mut fills, mut pages, mut accesses) = (0u8, 0, 0);
        let before = self.workload.accesses[..first].iter().rev();
        for (number, &object) in before.enumerate() {
            let last = &mut counted[object as usize];
            if *last <= fills && !set.contains(object) {
                *last = fills + 1;
                pages += self.values.pages(object);
            }
            if pages > room {
                (fills, pages, accesses) = (fills + 1, 0, number + 1);
                if usize::from(fills) == FIRST_FILLS {
                    break;
                }
            }
        }
        (fills > 0).then(|| accesses.div_ceil(usize::from(fills)))
    }
}
