//! Writing in the background: the flusher of a mount (`fs/fs-writeback.c` and `mm/page-writeback.c` of Linux 6.1).
//!
//! It wakes 5 s after the first page was dirtied and each 5 s after that, as long as files are listed as dirty. It writes those that have
//! been listed for 30 s (`wb_check_old_data_flush`). A file stays listed when its pages are written by `fsync` or `close`, and is listed
//! anew when the flusher's own writes are answered (`nfs_folio_mark_unstable`, `fs/nfs/write.c`).
//!
//! It writes all when more is dirty than the mount's share of the limit (`wb_over_bg_thresh`), which is its share of the pages that the
//! machine has written lately. A mount that has written nothing has none, so what it dirties first is written at the next wake. The kernel
//! counts written pages for each processor and adds them up by 16 or more (`PROP_BATCH`, `lib/flex_proportions.c`): a few never show, and
//! what is left of many does not fade.

use hotset_cache::PAGE_BYTES;

use super::client::Client;
use super::pages::Bytes;
use super::server::{FileId, Server};

/// How often the flusher wakes (`dirty_writeback_interval`), nanoseconds.
const WAKE_NS: u64 = 5_000_000_000;
/// How long a file may be listed as dirty (`dirty_expire_interval`), nanoseconds.
const EXPIRE_NS: u64 = 30_000_000_000;
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

impl Client {
    /// Pages of a file were dirtied (`__mark_inode_dirty`).
    pub(super) fn has_dirtied(&mut self, id: FileId) {
        let now_ns = self.now_ns;
        self.inode(id).dirtied_ns.get_or_insert(now_ns);
        self.flusher.next_ns.get_or_insert(now_ns + WAKE_NS);
    }

    /// The flusher wakes (`wb_workfn`).
    pub(super) fn write_back(&mut self, server: &mut Server<'_>) {
        let dirty = self.inodes.values().map(|inode| inode.pages.dirty_count());
        let latest_ns = match dirty.sum::<usize>() > 0 && !self.flusher.has_share {
            true => Some(self.now_ns),
            false => self.now_ns.checked_sub(EXPIRE_NS),
        };
        for id in self.dirtied_until(latest_ns) {
            let has_dirty = self.inode(id).pages.have_dirty();
            self.flush_in_background(server, id);
            self.inode(id).dirtied_ns = has_dirty.then_some(self.now_ns);
        }
        let is_listed = self.inodes.values().any(|inode| inode.dirtied_ns.is_some());
        self.flusher.next_ns = is_listed.then_some(self.now_ns + WAKE_NS);
    }

    /// Files that are listed since then or longer.
    fn dirtied_until(&self, latest_ns: Option<u64>) -> Vec<FileId> {
        let Some(latest_ns) = latest_ns else {
            return Vec::new();
        };
        let listed = self.inodes.iter().filter(|(_, inode)| {
            let since = inode.dirtied_ns;
            since.is_some_and(|since_ns| since_ns <= latest_ns)
        });
        let mut listed: Vec<FileId> = listed.map(|(id, _)| *id).collect();
        listed.sort_unstable();
        listed
    }
}
