//! Bytes of a commit.

/// Bytes of a block of a file system.
pub(super) const BLOCK_BYTES: u64 = 4096;
/// Blocks that a descriptor block of jbd2 lists. Each has a tag of 16 bytes. Before the tags are a header of 12 and the file system's
/// number of 16, behind them a checksum of 4 (`journal_block_tag3_t`, `include/linux/jbd2.h`; `jbd2_journal_commit_transaction`).
const TAGS: u64 = 254;
/// Bytes of a buffer of xfs' log (`XLOG_BIG_RECORD_BSIZE`, `fs/xfs/libxfs/xfs_log_format.h`), and of the header of each (`XLOG_HEADER_SIZE`).
const RECORD_BYTES: u64 = 32 << 10;
const HEADER_BYTES: u64 = 512;
/// Bytes of xfs' log for a changed block or inode, with the headers of its regions. They are those of an inode: `xfs_inode_log_format` of
/// 56 bytes, `xfs_log_dinode` of 176, two `xlog_op_header` of 12. A block of a tree takes as many, an assumption.
const ITEM_BYTES: u64 = 256;
/// Where xfs' log writes in multiples of (`BBSIZE`).
const SECTOR_BYTES: u64 = 512;

/// How a journal writes a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Whole blocks with descriptor blocks before them, then a commit record (`fs/jbd2/commit.c`).
    Jbd2,
    /// What has changed of blocks, in buffers of 32 KiB (`fs/xfs/xfs_log_cil.c`).
    Xfs,
    /// There is no journal: blocks are written to their own place (`ext4_fsync_nojournal`, `fs/ext4/fsync.c`).
    InPlace,
}

impl Format {
    /// Bytes of a transaction of so many blocks in the journal, but for its commit record.
    #[must_use]
    pub fn body_bytes(self, blocks: u64) -> u64 {
        match self {
            Self::Jbd2 => (blocks + blocks.div_ceil(TAGS)) * BLOCK_BYTES,
            Self::Xfs => {
                let items = (blocks * ITEM_BYTES).next_multiple_of(SECTOR_BYTES);
                items + items.div_ceil(RECORD_BYTES - HEADER_BYTES) * HEADER_BYTES
            }
            Self::InPlace => 0,
        }
    }

    /// Bytes of the record that makes a transaction count, written when all else is on the device.
    #[must_use]
    pub fn record_bytes(self) -> u64 {
        match self {
            Self::Jbd2 => BLOCK_BYTES,
            Self::Xfs | Self::InPlace => 0,
        }
    }

    /// The largest transaction of a journal of so many bytes: a third of it (`jbd2_journal_get_max_txn_bufs`, `fs/jbd2/journal.c`), and a
    /// quarter before Linux 6.11. In xfs it is an eighth, and 32 MiB at most (`XLOG_CIL_SPACE_LIMIT`, `fs/xfs/xfs_log_priv.h`).
    pub(super) fn largest_bytes(self, journal_bytes: u64) -> u64 {
        match self {
            Self::Jbd2 => journal_bytes / 3,
            Self::Xfs => (journal_bytes / 8).min(32 << 20),
            Self::InPlace => u64::MAX,
        }
    }
}
