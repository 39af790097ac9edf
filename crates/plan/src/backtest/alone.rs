//! Nothing held: all memory is page cache.

use super::prepare::Backtest;
use super::scan::{FileCache, Mean, PageCache};
use super::score::ArmRun;
use crate::select::HeldSet;

/// The page cache alone on the whole workload. One scan serves the validation inside the training part and the score on
/// the held-out part.
pub(super) struct Alone {
    /// Weighted mean response, in microseconds, of the accesses of the training part that validate.
    pub validated_us: f64,
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
        let mut validated = Mean::default();
        cache.serve(values, validating, &nothing, |index, served| {
            validated.add(values, validating[index], served);
        });
        cache.serve(values, held_out, &nothing, |index, served| {
            run.add(test, held_out[index], served);
        });
        Self {
            validated_us: validated.us(),
            run,
        }
    }
}
