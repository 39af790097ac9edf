//! What tokens of the write path are.

use std::ops::Range;

use hotset_cache::PAGE_BYTES;
use hotset_petri::{Colour, Time};

use crate::nets::tokens::Placed;

/// What the program does next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Then {
    /// It writes the next block.
    #[default]
    Block,
    /// It syncs the file.
    Sync,
    /// It has written the last block.
    Close,
    /// Nothing.
    End,
}

/// The program.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Program {
    /// Blocks since the file was synced.
    pub unsynced: u32,
    pub then: Then,
}

/// A block that the program writes: bytes of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub from: u64,
    /// The next byte to be handed over.
    pub at: u64,
    pub end: u64,
    /// Whether it is the last of a pass.
    pub is_last: bool,
    /// Whether it was paused, or waited for the journal.
    pub waited: bool,
    pub asked: Time,
}

/// The program waits for what it has written.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fsync {
    /// The program as it goes on afterwards.
    pub program: Program,
    /// Whether for the disk; else for the kernel only.
    pub syncs: bool,
    pub asked: Time,
}

/// A write call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub from: u64,
    /// The next byte to be copied.
    pub at: u64,
    pub end: u64,
    /// Whether what it writes was in the C library's buffer.
    pub is_of_buffer: bool,
    /// Whether it was paused, or waited for the journal.
    pub waited: bool,
    /// When the page at hand was begun.
    pub began: Time,
    /// Whether its program is looked at before it goes on, as it has made enough pages dirty.
    pub is_due: bool,
    /// Whether write-back has begun for it, as too much is dirty.
    pub is_pressed: bool,
}

impl Call {
    /// Of bytes of the file.
    pub fn new(from: u64, bytes: u64, is_of_buffer: bool) -> Self {
        Self {
            from,
            at: from,
            end: from + bytes,
            is_of_buffer,
            waited: false,
            began: Time::ZERO,
            is_due: false,
            is_pressed: false,
        }
    }

    /// The page that comes next.
    pub fn page(&self) -> u64 {
        self.at / PAGE_BYTES
    }

    /// Where what is copied of that page ends.
    pub fn chunk_end(&self) -> u64 {
        ((self.page() + 1) * PAGE_BYTES).min(self.end)
    }
}

/// What is done to a page of the page cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// It comes into memory.
    Introduce,
    /// A program has written to it: it stays until it is on the disk.
    Dirty,
    /// It is on the disk.
    Clean,
}

/// Something done to a page of the page cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct CacheRequest {
    pub page: u64,
    pub deed: Deed,
    pub now: Time,
}

/// What the disk is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Pages of the file.
    Data,
    /// Blocks of the journal.
    Log,
    /// Blocks of the file system's own, at their own places.
    Home,
}

/// What the disk is asked to write.
#[derive(Clone, Copy, Debug)]
pub(super) struct Request {
    pub kind: Kind,
    /// First byte on the disk.
    pub offset: u64,
    pub bytes: u64,
    /// The page of the file that is counted next, where it is data.
    pub page: u64,
    /// Pages or blocks that are not counted yet.
    pub left: u64,
}

impl Request {
    /// For so many bytes of a kind.
    pub fn new(kind: Kind, offset: u64, bytes: u64, page: u64) -> Self {
        Self {
            kind,
            offset,
            bytes,
            page,
            left: bytes.div_ceil(PAGE_BYTES),
        }
    }

    /// All its pages, when all are counted.
    pub fn pages(&self) -> Range<u64> {
        self.page - self.bytes / PAGE_BYTES..self.page
    }

    /// What is left when the first page or block of it is counted.
    pub fn rest(self) -> Self {
        Self {
            page: self.page + 1,
            left: self.left - 1,
            ..self
        }
    }
}

impl Placed for Request {
    fn offset(&self) -> u64 {
        self.offset
    }

    fn end(&self) -> u64 {
        self.offset + self.bytes
    }
}

/// Who has the disk's own cache flushed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Flush {
    Journal,
    Program(Fsync),
}

impl Colour for Program {}
impl Colour for Block {}
impl Colour for Fsync {}
impl Colour for Call {}
impl Colour for CacheRequest {}
impl Colour for Request {}
impl Colour for Flush {}
