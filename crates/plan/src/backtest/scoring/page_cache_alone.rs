//! Nothing held: all memory is page cache.

use super::score::ArmRun;
use crate::backtest::judgement::Judge;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{FileCache, PageCache, Scan};
use crate::select::HeldSet;

/// The page cache alone on the whole workload. One scan serves the validation inside the training part and the score on
/// the held-out part.
pub(crate) struct PageCacheAlone<'a> {
    pub test: &'a Backtest<'a>,
    /// The accesses of the training part that validate.
    pub validated: Judge,
    pub run: ArmRun,
}

impl<'a> PageCacheAlone<'a> {
    /// The held-out accesses are added to `run`.
    pub fn of(test: &'a Backtest<'a>, run: ArmRun) -> Self {
        let mut alone = Self::empty(test, run);
        scan(test, &mut [&mut alone]);
        alone.run = alone.run.packed();
        alone
    }

    /// That of nodes that differ only in their stores. What a page cache keeps does not depend on costs, so that one scan
    /// serves all that follow directories and inodes, and one all that do not.
    pub fn of_stores(tests: &[&'a Backtest<'a>]) -> Vec<Self> {
        let empty = |&test: &&'a Backtest<'a>| Self::empty(test, ArmRun::of_means(test));
        let mut alone: Vec<Self> = tests.iter().map(empty).collect();
        for follows in [false, true] {
            let alike = alone.iter_mut();
            let alike = alike.filter(|alone| alone.test.values.has_metadata() == follows);
            let mut alike: Vec<&mut Self> = alike.collect();
            if let Some(test) = alike.first().map(|first| first.test) {
                scan(test, &mut alike);
            }
        }
        alone
    }

    fn empty(test: &'a Backtest<'a>, run: ArmRun) -> Self {
        Self {
            test,
            validated: Judge::new(test),
            run,
        }
    }
}

/// Serves the accesses of `test`, and adds each at the costs of each of `stores`.
fn scan(test: &Backtest, stores: &mut [&mut PageCacheAlone]) {
    let (training, held_out) = test.workload.accesses.split_at(test.training);
    let (warming, validating) = training.split_at(test.inner());
    let nothing = HeldSet::empty(test.objects());
    let mut cache = PageCache::beside(test, 0);
    cache.warm(Scan::of(&test.values, warming, &nothing));
    cache.serve(
        Scan::of(&test.values, validating, &nothing),
        |index, served| {
            for store in stores.iter_mut() {
                let values = &store.test.values;
                store.validated.add(values, validating[index], served);
            }
        },
    );
    cache.serve(
        Scan::of(&test.values, held_out, &nothing),
        |index, served| {
            for store in stores.iter_mut() {
                store.run.add(store.test, held_out[index], served);
            }
        },
    );
}
