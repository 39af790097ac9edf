//! Shares of the memory that files may be held in, in steps of a twentieth.

use super::prepare::Backtest;
#[cfg(doc)]
use crate::PageCacheModel;
use crate::select::Budget;

/// Splits of memory tried: multiples of 5 %, from holding nothing to leaving no page cache.
const SHARE_STEPS: u32 = 20;

/// Up to so many accesses all splits are tried: that takes a moment, and how responses depend on the split is too rough
/// for a search.
const FEW_ACCESSES: usize = 100_000;

/// The share of memory at `step`.
pub(crate) fn share_at(step: u32) -> f64 {
    f64::from(step) / f64::from(SHARE_STEPS)
}

/// The step of a share.
pub(crate) fn step_of(share: f64) -> u32 {
    (share * f64::from(SHARE_STEPS)).round() as u32
}

impl Backtest<'_> {
    /// The last split tried: it leaves [`PageCacheModel::floor_bytes`] to the page cache.
    pub fn last_step(&self) -> u32 {
        SHARE_STEPS - u32::from(self.linux.is_some())
    }

    /// Whether all splits are tried, as [`PageCacheModel::WholeFiles`] defines it, not searched for the best.
    pub fn tries_all_splits(&self) -> bool {
        self.linux.is_none() || self.workload.accesses.len() <= FEW_ACCESSES
    }

    /// Memory to hold files in at `step`.
    pub fn budget(&self, step: u32) -> Budget<'_> {
        Budget {
            pages: (self.memory_pages as f64 * share_at(step)) as u64,
            reserved_pages: &self.reserved_pages,
        }
    }
}
