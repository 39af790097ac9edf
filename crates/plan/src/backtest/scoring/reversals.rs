//! Whether the ways of using the memory stand in the same order beside a page cache of whole files.

use hotset_cache::TwoList;
use serde::Serialize;

#[cfg(doc)]
use crate::PageCacheModel;
use crate::backtest::judgement::Judgement;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{WholeFiles, judge_quickly};
use crate::select::HeldSet;

/// Means closer than this, relatively, are equal but for the order of additions.
const TIE: f64 = 1e-9;

/// A way of using the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Arm {
    /// Page cache alone.
    PageCache,
    /// One cache that evicts the least recently used file.
    Lru,
    /// Small files held.
    SizeThreshold,
    /// The plan.
    Plan,
    /// The plan renewed as time goes on.
    Adaptive,
    /// The best set, chosen knowing the held-out part.
    Clairvoyant,
}

impl Arm {
    /// All of them, in the order of reports.
    pub const ALL: [Arm; 6] = [
        Arm::PageCache,
        Arm::Lru,
        Arm::SizeThreshold,
        Arm::Plan,
        Arm::Adaptive,
        Arm::Clairvoyant,
    ];
}

/// Two arms that change places with the model of the page cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Reversal {
    /// The arm with the shorter weighted mean response as scored, with [`PageCacheModel::Linux`].
    pub better: Arm,
    /// The arm that is better where the same files are held beside a page cache of [`PageCacheModel::WholeFiles`].
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
    test.linux.as_ref()?;
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

/// Arms whose order by the means `scored` is the other way round by `whole_files`, NaN where unknown; both in the order of
/// [`Arm::ALL`].
pub(crate) fn reversals(scored: [f64; 6], whole_files: [f64; 6]) -> Vec<Reversal> {
    let shorter = |us: &[f64; 6], a: usize, b: usize| us[a] < us[b] * (1.0 - TIE);
    let pairs = (0..6).flat_map(|a| (0..6).map(move |b| (a, b)));
    let reversed = pairs.filter(|&(a, b)| shorter(&scored, a, b) && shorter(&whole_files, b, a));
    let reversal = |(better, worse): (usize, usize)| Reversal {
        better: Arm::ALL[better],
        worse: Arm::ALL[worse],
    };
    reversed.map(reversal).collect()
}
