//! Writing in the background: the flusher of a mount (`fs/fs-writeback.c` and `mm/page-writeback.c` of Linux 6.1).
//!
//! It wakes 5 s after the first page was dirtied and each 5 s after that, as long as files are listed as dirty. It writes those that have
//! been listed for 30 s (`wb_check_old_data_flush`). A file stays listed when its pages are written by `fsync` or `close`, and is listed
//! anew when the flusher's own writes are answered (`nfs_folio_mark_unstable`, `fs/nfs/write.c`).

use super::client::Client;
use super::flusher::EXPIRE_NS;
use super::server::{FileId, Server};

impl Client {
    /// Pages of a file were dirtied (`__mark_inode_dirty`).
    pub(super) fn has_dirtied(&mut self, id: FileId) {
        let now_ns = self.now_ns;
        self.inode(id).dirtied_ns.get_or_insert(now_ns);
        self.flusher.has_dirty(now_ns);
    }

    /// The flusher wakes (`wb_workfn`).
    pub(super) fn write_back(&mut self, server: &mut Server<'_>) {
        let dirty = self.inodes.values().map(|inode| inode.pages.dirty_count());
        let latest_ns = match dirty.sum::<usize>() > 0 && !self.flusher.has_share() {
            true => Some(self.now_ns),
            false => self.now_ns.checked_sub(EXPIRE_NS),
        };
        for id in self.dirtied_until(latest_ns) {
            let has_dirty = self.inode(id).pages.have_dirty();
            self.flush_in_background(server, id);
            // What version 2 has written is on the server's disk.
            let is_listed = has_dirty && !self.mount.is_v2();
            self.inode(id).dirtied_ns = is_listed.then_some(self.now_ns);
        }
        let mut inodes = self.inodes.values();
        let is_listed = inodes.any(|inode| inode.dirtied_ns.is_some());
        self.flusher.sleeps(self.now_ns, is_listed);
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
