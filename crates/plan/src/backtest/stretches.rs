//! Stretches of the accesses that are scored where scoring all of them takes too long.
//!
//! A page cache forgets: what it has in the middle of a long log depends on the accesses shortly before. So a stretch can be scored
//! after those alone. All files are followed, at their sizes, in all of the memory. A sample of the files instead would need a page
//! cache that is smaller by its share. The few largest files, which are most of the bytes, do not fit into that.

use std::ops::Range;

use super::fills::Fills;
use super::judgement::{Judge, Judgement};
use super::prepare::Backtest;
use super::scan::{FileCache, PageCache, Scan};
use crate::select::HeldSet;
use crate::value::AccessResult;

/// How often over a page cache is filled by the accesses that warm it before a stretch ([`Backtest::filled_by`]). At first it has what it
/// had after the stretch before.
const FILLS: usize = 2;

/// The same before the first stretch, where it is empty.
const FIRST_FILLS: usize = 8;

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
        cache.warm(Scan::of(values, &accesses[from..stretch.start], set).at(from));
        let scored = &accesses[stretch.clone()];
        let scan = Scan::of(values, scored, set).at(stretch.start);
        cache.serve(scan, |index, served| {
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
        let (mut fills, mut done, mut accesses) = (Fills::beside(self, set)?, 0, 0);
        let before = self.workload.accesses[..first].iter().rev();
        for (number, &object) in before.enumerate() {
            if let Some(filled) = fills.add(object) {
                (done, accesses) = (usize::from(filled), number + 1);
                if done == FIRST_FILLS {
                    break;
                }
            }
        }
        (done > 0).then(|| accesses.div_ceil(done))
    }
}

/// How the part of the training part that validates does with `set` held, or stretches of it where these are scored; the page cache is
/// warm from those before.
pub(crate) fn judge_validating(test: &Backtest, set: &HeldSet) -> Judgement {
    let (mut cache, mut judge) = (PageCache::beside(test, set.pages()), Judge::new(test));
    let stretches = test.validating_stretches();
    let held = (set, test.filled_by(set, &stretches));
    serve_stretches(test, held, &mut cache, &stretches, |_, object, served| {
        judge.add(&test.values, object, served);
    });
    judge.judgement()
}
