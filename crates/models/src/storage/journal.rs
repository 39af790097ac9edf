//! The journal of a file system, as far as `fsync` needs it: a commit is one write of a few blocks, after the data.
//!
//! Simplified: each `fsync` commits by itself, and only what it changed. The kernel writes the commit record after the rest, has several
//! callers share a commit, and commits every five seconds anyway (`fs/jbd2/commit.c`).

use hotset_cache::PAGE_BYTES;

/// Blocks of a commit: the descriptor, the block with the file's inode, and the commit record (`jbd2_journal_commit_transaction`).
const COMMIT_BLOCKS: u64 = 3;
/// Bytes of a journal: what `mke2fs` makes on file systems of 2 to 16 GiB, in blocks of 4 KiB (`ext2fs_default_journal_size`).
const JOURNAL_BYTES: u64 = 64 << 20;

/// A journal, which is written from its start to its end and again.
#[derive(Clone, Copy, Debug)]
pub(super) struct Journal {
    /// Where it begins on the device.
    start: u64,
    next: u64,
}

impl Journal {
    /// One that begins at a byte of the device.
    pub fn new(start: u64) -> Self {
        Self { start, next: 0 }
    }

    /// Where the next commit is written, and its bytes.
    pub fn commit(&mut self) -> (u64, u64) {
        let bytes = COMMIT_BLOCKS * PAGE_BYTES;
        if self.next + bytes > JOURNAL_BYTES {
            self.next = 0;
        }
        let offset = self.start + self.next;
        self.next += bytes;
        (offset, bytes)
    }
}
