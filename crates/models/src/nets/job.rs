//! What is read, and on what.

use hotset_cache::PAGE_BYTES;

use super::copy_cost::CopyCost;
use super::{NetDisk, NetReadAhead, NetScheduler};

/// A file read block by block by one program, and the machine that it is read on.
#[derive(Clone, Debug)]
pub struct ReadJob {
    /// The file's size.
    pub file_bytes: u64,
    /// Where blocks begin, in the order in which they are read.
    pub offsets: Vec<u64>,
    /// What is read from each.
    pub block_bytes: u64,
    /// Whether the program begins anew after the last block.
    pub repeats: bool,
    /// Memory for pages of the file.
    pub memory_bytes: u64,
    /// Whether the file was brought into memory before, as far as it fits.
    pub cached: bool,
    /// Whether the file system knows where all blocks of the file are, so that it reads none of its own.
    pub mapped: bool,
    /// The most that is read ahead.
    pub read_ahead_bytes: u64,
    /// How it is chosen (ext3 only).
    pub read_ahead: NetReadAhead,
    /// What the program itself does between two blocks, nanoseconds.
    pub loop_ns: u64,
    /// A read call without the copying.
    pub call_ns: u64,
    /// Copying to the program.
    pub copy: CopyCost,
    /// In which order requests go to the disk.
    pub scheduler: NetScheduler,
    /// The disk.
    pub disk: NetDisk,
    /// After which time without an access a page is inactive (ext3 of Linux 2.6 only), nanoseconds.
    pub unused_ns: u64,
}

impl ReadJob {
    /// Pages of the file.
    pub(super) fn file_pages(&self) -> u64 {
        self.file_bytes.div_ceil(PAGE_BYTES)
    }

    /// Pages that fit into memory.
    pub(super) fn memory_pages(&self) -> u64 {
        self.memory_bytes / PAGE_BYTES
    }

    /// Pages whose place on the disk is known.
    pub(super) fn known_pages(&self) -> u64 {
        if self.mapped { self.file_pages() } else { 0 }
    }
}
