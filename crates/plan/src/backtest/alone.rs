//! Nothing held: all memory is page cache.

use super::judged::{Judge, Judged};
use super::prepare::Backtest;
use super::scan::{FileCache, PageCache};
use super::score::ArmRun;
use crate::select::HeldSet;

/// The page cache alone on the whole workload. One scan serves the validation inside the training part and the score on
/// the held-out part.
pub(super) struct Alone {
    /// How the accesses of the training part do that validate.
    pub validated: Judged,
    pub run: ArmRun,
}

impl Alone {
    /// The held-out accesses are added to `run`.
    pub fn of(test: &Backtest, mut run: ArmRun) -> Self {
        let (values, accesses) = (&test.values, test.workload.accesses);
        let (training, held_out) = accesses.split_at(test.training);
        let (warming, validating) = training.split_at(test.inner());
        let mut cache = PageCache::beside(test, 0);
        let nothing = HeldSet::empty(test.objects());
        cache.serve(values, warming, &nothing, |_, _| {});
        let mut judge = Judge::new(test);
        cache.serve(values, validating, &nothing, |index, served| {
            judge.add(values, validating[index], served);
        });
        cache.serve(values, held_out, &nothing, |index, served| {
            run.add(test, held_out[index], served);
        });
        Self {
            validated: judge.judged(),
            run,
        }
    }
}
