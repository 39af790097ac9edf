//! Making room (`do_try_to_free_pages`, `shrink_lruvec` and `prepare_scan_control` of `mm/vmscan.c`).

use super::blocks::Blocks;
use super::lists::{Folio, Lists};

/// Pages that a round of reclaim is after, and that a list is scanned by (`SWAP_CLUSTER_MAX`).
const CLUSTER_PAGES: u64 = 32;

/// A list is scanned by its length shifted right by the priority, which falls until enough is reclaimed
/// (`DEF_PRIORITY`).
const FIRST_PRIORITY: u32 = 12;

/// Rounds of reclaim.
#[derive(Clone, Default)]
pub(super) struct Reclaim {
    /// Refault activations at the end of the last round (`snapshot_refaults`).
    seen_refaults: u64,
    /// Pages taken off the inactive and the active list beyond what was to be scanned.
    ahead: [u64; 2],
}

impl Reclaim {
    /// Evicts at least [`CLUSTER_PAGES`] pages if there are as many, or brings that nearer: short lists may only be
    /// deactivated, or scanned for what was taken ahead.
    pub fn round(&mut self, lists: &mut Lists, blocks: &Blocks) {
        let mut evicted = 0;
        for priority in (0..=FIRST_PRIORITY).rev() {
            evicted += self.scan(lists, blocks, priority);
            if evicted >= CLUSTER_PAGES {
                break;
            }
        }
        self.seen_refaults = lists.refault_activations();
    }

    /// Scans the inactive list, and the active one if it may shrink; pages evicted.
    fn scan(&mut self, lists: &mut Lists, blocks: &Blocks, priority: u32) -> u64 {
        let [inactive, active] = lists.pages().map(|pages| pages >> priority);
        let (mut inactive, mut active) = (
            inactive,
            if self.may_deactivate(lists) {
                active
            } else {
                0
            },
        );
        let mut evicted = 0;
        while (inactive > 0 || active > 0) && evicted < CLUSTER_PAGES {
            evicted += take(&mut inactive, &mut self.ahead[0], || lists.reclaim_oldest());
            lists.put_back();
            take(&mut active, &mut self.ahead[1], || {
                lists.deactivate_oldest(blocks)
            });
        }
        evicted
    }

    /// The active list shrinks while it is the larger one (the ratio is 1 below 1 GiB, `inactive_is_low`), and when pages
    /// returned soon after their eviction since the last round.
    fn may_deactivate(&self, lists: &Lists) -> bool {
        let [inactive, active] = lists.pages();
        lists.refault_activations() != self.seen_refaults || inactive < active
    }
}

/// Takes the next pages that `scan` owes, at most [`CLUSTER_PAGES`], by whole folios; how many of them left memory. `ahead` is how
/// many pages more than that were taken before, because blocks are not divided.
fn take(scan: &mut u64, ahead: &mut u64, mut next: impl FnMut() -> Option<Folio>) -> u64 {
    let owed = (*scan).min(CLUSTER_PAGES);
    *scan -= owed;
    let wanted = owed.saturating_sub(*ahead);
    *ahead -= owed - wanted;
    let (mut taken, mut evicted, mut order) = (0, 0, 0);
    while taken < wanted {
        let Some(folio) = next() else { break };
        taken += folio.pages;
        evicted += folio.evicted_pages;
        order = folio.order;
    }
    let last_folio = 1u64 << order;
    let in_folios = (wanted + (last_folio - 1)) >> order << order;
    *ahead += taken.saturating_sub(in_folios);
    evicted
}
