//! When a mount's dirty pages are written in the background (`mm/page-writeback.c` of Linux 6.1).
//!
//! It writes all when more is dirty than the mount's share of the limit (`wb_over_bg_thresh`), which is its share of the pages that the
//! machine has written lately. A mount that has written nothing has none, so what it dirties first is written at the next wake. The kernel
//! counts written pages for each processor and adds them up by 16 or more (`PROP_BATCH`, `lib/flex_proportions.c`): a few never show, and
//! what is left of many does not fade.

use hotset_cache::PAGE_BYTES;

use super::pages::Bytes;
use super::timer::fires_ns;

/// How often the flusher wakes (`dirty_writeback_interval`), nanoseconds.
const WAKE_NS: u64 = 5_000_000_000;
/// How long a file may be listed as dirty (`dirty_expire_interval`), nanoseconds.
pub(super) const EXPIRE_NS: u64 = 30_000_000_000;
/// How long written pages count together at most (`VM_COMPLETIONS_PERIOD_LEN`), nanoseconds.
const PERIOD_NS: u64 = 3_000_000_000;
/// As many pages in a period show as a share: what two processors keep to themselves (`PROP_BATCH`).
const SHOWN_PAGES: u64 = 32;

/// The flusher of a mount.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Flusher {
    /// When it wakes next.
    next_ns: Option<u64>,
    /// When the period began in which pages were written last, and how many were.
    period: (u64, u64),
    /// The mount has a share of what may be dirty.
    has_share: bool,
}

impl Flusher {
    /// When it wakes next; never as long as nothing is dirty.
    pub fn wakes_ns(&self) -> u64 {
        self.next_ns.unwrap_or(u64::MAX)
    }

    /// Something was dirtied: it wakes some time later, if it does not yet.
    pub fn has_dirty(&mut self, now_ns: u64) {
        self.next_ns
            .get_or_insert_with(|| fires_ns(now_ns, WAKE_NS));
    }

    /// It has woken, and files are left that are listed as dirty, or none are.
    pub fn sleeps(&mut self, now_ns: u64, is_listed: bool) {
        self.next_ns = is_listed.then(|| fires_ns(now_ns, WAKE_NS));
    }

    /// Whether the mount may have dirty pages.
    pub fn has_share(&self) -> bool {
        self.has_share
    }

    /// Pages were written.
    pub fn has_written(&mut self, bytes: &Bytes, now_ns: u64) {
        let pages = bytes.end.div_ceil(PAGE_BYTES) - bytes.start / PAGE_BYTES;
        if now_ns >= self.period.0.saturating_add(PERIOD_NS) {
            self.period = (now_ns, 0);
        }
        self.period.1 += pages;
        self.has_share |= self.period.1 >= SHOWN_PAGES;
    }
}
