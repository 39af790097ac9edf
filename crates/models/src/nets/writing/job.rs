//! What is written, and on what.

use hotset_cache::PAGE_BYTES;
use hotset_scenario::{Journal, Writing};

use crate::nets::copy_cost::CopyCost;
use crate::nets::disk::NetDisk;
use crate::nets::scheduler::NetScheduler;

/// A file written block by block by one program, and the machine that it is written on.
#[derive(Clone, Debug)]
pub struct WriteJob {
    /// The file's size.
    pub file_bytes: u64,
    /// Where blocks begin, in the order in which they are written. They are whole pages, unless they follow each other and the C library
    /// gathers them.
    pub offsets: Vec<u64>,
    /// What is written to each.
    pub block_bytes: u64,
    /// Whether the program begins anew after the last block.
    pub repeats: bool,
    /// Whether nothing of the file has data at first.
    pub is_new: bool,
    /// Whether the C library gathers what is written in a buffer of 4 KiB.
    pub is_buffered: bool,
    /// The file is synced after so many blocks.
    pub sync_every: Option<u32>,
    /// Whether the file is synced after the last block.
    pub syncs_at_end: bool,
    /// Memory for pages of the file.
    pub memory_bytes: u64,
    /// What the program itself does between two blocks, nanoseconds.
    pub loop_ns: u64,
    /// A call without the copying, nanoseconds.
    pub call_ns: u64,
    /// Copying from the program.
    pub copy: CopyCost,
    /// How much may be dirty, and how long. A flusher that looks every 0 seconds never looks by itself.
    pub writing: Writing,
    /// What the journal does.
    pub journal: Journal,
    /// Bytes of the journal.
    pub journal_bytes: u64,
    /// After which time a transaction is committed by itself, nanoseconds; nothing where it never is.
    pub commit_ns: Option<u64>,
    /// What flushing the disk's own cache takes, nanoseconds; 0 where it has none.
    pub flush_ns: u64,
    /// In which order requests go to the disk.
    pub scheduler: NetScheduler,
    /// The disk. One of constant cost has its delay for each request.
    pub disk: NetDisk,
}

impl WriteJob {
    /// Pages of the file.
    pub(super) fn file_pages(&self) -> u64 {
        self.file_bytes.div_ceil(PAGE_BYTES)
    }

    /// Pages that fit into memory.
    pub(super) fn memory_pages(&self) -> u64 {
        self.memory_bytes / PAGE_BYTES
    }
}
