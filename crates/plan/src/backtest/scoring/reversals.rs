//! Whether the ways of using the memory stand in the same order beside a page cache of whole files.

use hotset_cache::TwoList;
use serde::Serialize;

use super::arm::Arm;
#[cfg(doc)]
use crate::PageCacheModel;
use crate::backtest::judgement::Judgement;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{WholeFiles, judge_quickly};
use crate::select::HeldSet;

/// Means closer than this, relatively, are equal but for the order of additions.
const TIE: f64 = 1e-9;

/// Two arms that change places with the model of the page cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Reversal {
    /// The arm with the shorter weighted mean response, as scored.
    pub better: Arm,
    /// The arm that does better where the same files are held beside a page cache of whole files.
    pub worse: Arm,
}

/// The page cache of whole files that `held_pages` leave.
pub(crate) fn whole_files(test: &Backtest, held_pages: u64) -> WholeFiles<TwoList> {
    let pages = test.memory_pages.saturating_sub(held_pages);
    WholeFiles(TwoList::new(pages, test.objects()))
}

/// How the held-out accesses do with `set` held beside a page cache of whole files; nothing where the scores themselves are
/// that. It serves to tell an order, so that it is judged quickly.
pub(crate) fn beside_whole_files(test: &Backtest, set: &HeldSet) -> Option<Judgement> {
    if !test.compares_whole_files() {
        return None;
    }
    let mut cache = whole_files(test, set.pages());
    let accesses = (test.training_accesses(), test.held_out_accesses());
    Some(judge_quickly(
        test,
        &mut cache,
        set,
        accesses,
        test.held_out_counts(),
    ))
}

/// Arms whose order by the means as scored is the other way round beside whole files: of each arm both means, in microseconds.
pub(crate) fn reversals(arms: &[(Arm, f64, f64)]) -> Vec<Reversal> {
    let shorter = |one: f64, other: f64| one < other * (1.0 - TIE);
    let pairs = arms.iter().flat_map(|a| arms.iter().map(move |b| (a, b)));
    let reversed = pairs.filter(|(a, b)| shorter(a.1, b.1) && shorter(b.2, a.2));
    let reversal = |(better, worse): (&(Arm, f64, f64), &(Arm, f64, f64))| Reversal {
        better: better.0,
        worse: worse.0,
    };
    reversed.map(reversal).collect()
}
