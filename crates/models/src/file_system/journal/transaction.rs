//! What is committed at once.

use std::collections::BTreeSet;

/// What deeds change, and what has to reach its own place on the device in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Block {
    /// A block of the file system's own, by its place on the device.
    Metadata(u64),
    /// One that maps a file, by its place.
    Map(u64),
    /// Pages of a file, where the journal has data too.
    Data {
        /// The file.
        file: u32,
        /// The extent of the page cache.
        extent: u32,
    },
}

impl Block {
    /// Its own place, where it is the file system's.
    pub(super) fn place(self) -> Option<u64> {
        match self {
            Self::Metadata(offset) | Self::Map(offset) => Some(offset),
            Self::Data { .. } => None,
        }
    }

    /// The file whose data it is.
    pub(super) fn file(self) -> Option<u32> {
        match self {
            Self::Data { file, .. } => Some(file),
            Self::Metadata(_) | Self::Map(_) => None,
        }
    }
}

/// Changes that are committed at once (`transaction_t`, `include/linux/jbd2.h`).
#[derive(Clone, Debug)]
pub(super) struct Transaction {
    /// Its number; they follow each other.
    pub number: u64,
    /// When it began.
    pub since_ns: u64,
    pub changed: BTreeSet<Block>,
    /// Blocks of 4 KiB of all that is changed.
    pub blocks: u64,
    /// Files whose data must be on the device before (`t_inode_list`).
    pub ordered: BTreeSet<u32>,
    /// Files that it is of.
    pub files: BTreeSet<u32>,
}

impl Transaction {
    pub fn new(number: u64, since_ns: u64) -> Self {
        Self {
            number,
            since_ns,
            changed: BTreeSet::new(),
            blocks: 0,
            ordered: BTreeSet::new(),
            files: BTreeSet::new(),
        }
    }

    /// Adds what is changed, of so many blocks; what is in it already is committed once.
    pub fn add(&mut self, block: Block, blocks: u64) {
        if self.changed.insert(block) {
            self.blocks += blocks;
        }
    }
}
