//! Nothing held: all memory is page cache.

use super::score::ArmRun;
use crate::backtest::judgement::Judge;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::PageCache;
use crate::backtest::stretches::serve_stretches;
use crate::select::HeldSet;

/// The page cache alone on the whole workload. One scan serves the validation inside the training part and the score on
/// the held-out part.
pub(crate) struct PageCacheAlone<'a> {
    pub test: &'a Backtest<'a>,
    /// The accesses of the training part that validate.
    pub validated: Judge,
    /// The held-out accesses as one, or each stretch of them that is scored.
    pub runs: Vec<ArmRun>,
}

impl<'a> PageCacheAlone<'a> {
    /// The held-out accesses are added to `run`.
    pub fn of(test: &'a Backtest<'a>, run: ArmRun) -> Self {
        let mut alone = Self::empty(test, run);
        scan(test, &mut [&mut alone]);
        alone.runs = alone.runs.into_iter().map(ArmRun::packed).collect();
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

    /// The held-out accesses, of which all are scored.
    pub fn run(&self) -> &ArmRun {
        &self.runs[0]
    }

    fn empty(test: &'a Backtest<'a>, run: ArmRun) -> Self {
        Self {
            test,
            validated: Judge::new(test),
            runs: vec![run; test.held_out_stretches().len()],
        }
    }
}

/// Serves the accesses of `test`, and adds each at the costs of each of `stores`.
fn scan(test: &Backtest, stores: &mut [&mut PageCacheAlone]) {
    let (validating, held_out) = (test.validating_stretches(), test.held_out_stretches());
    let before = validating.len();
    let nothing = HeldSet::empty(test.objects());
    let mut cache = PageCache::beside(test, 0);
    let stretches = [validating, held_out].concat();
    let held = (&nothing, test.filled_by(&nothing, &stretches));
    serve_stretches(
        test,
        held,
        &mut cache,
        &stretches,
        |number, object, served| {
            for store in stores.iter_mut() {
                match number.checked_sub(before) {
                    None => store.validated.add(&store.test.values, object, served),
                    Some(run) => store.runs[run].add(store.test, object, served),
                }
            }
        },
    );
}
