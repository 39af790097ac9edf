//! What storage knows of writing, beside the pages themselves.

use std::ops::{Add, Sub};

use hotset_scenario::Writing;
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;
use serde::Serialize;

use super::journal::StoreJournal;
use super::sync_kind::SyncKind;
use crate::page_cache::MissingRun;
use crate::write_back::{Flusher, Limits, Reclaim, Syncs, Throttle};

/// Keeps the stream that draws times of writes apart from those of devices and of flushes, which have the same seed.
const WRITES: u64 = 0x5752_4954_4553_0000;

/// A write under way.
#[derive(Clone, Copy, Debug)]
pub struct Write {
    bytes: u64,
    /// The byte that is written next, and where it ends.
    pub(super) at: u64,
    pub(super) end: u64,
    /// Whether its program is looked at before it goes on.
    pub(super) is_due: bool,
    /// Whether it has waited for a disk, or was paused.
    pub(super) waited: bool,
    /// Where the page begins that was read for its sake, and is used whatever has become of it: memory may be too small to keep it.
    pub(super) has_read: Option<u64>,
    /// Bytes whose pages the kernel has given anew, and that are yet to be copied.
    pub(super) new_bytes: u64,
}

impl Write {
    /// Of so many bytes of a file, more than none, from `offset` on.
    #[must_use]
    pub fn new(offset: u64, bytes: u64) -> Self {
        Self {
            bytes,
            at: offset,
            end: offset + bytes,
            is_due: false,
            waited: false,
            has_read: None,
            new_bytes: 0,
        }
    }

    /// Where in the file it begins.
    #[inline]
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.end - self.bytes
    }

    /// Its bytes.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether it has waited for a disk, or was paused.
    #[inline]
    #[must_use]
    pub fn waited(&self) -> bool {
        self.waited
    }
}

/// What becomes of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteProgress {
    /// It copies, which takes its processor so many nanoseconds. Then it goes on.
    Copies(u64),
    /// The same, and it has written all its bytes then.
    Ends(u64),
    /// Too much is dirty: it goes on at this time, nanoseconds.
    Pauses(u64),
    /// Its waiter is woken when it may go on.
    Waits,
    /// The same: the journal has too little room for more.
    WaitsForJournal,
}

/// Bytes that the device was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WrittenBytes {
    /// Pages of files.
    pub data: u64,
    /// Commits of the file system's journal.
    pub journal: u64,
    /// The file system's own blocks, at their own places.
    pub metadata: u64,
}

impl WrittenBytes {
    /// All together.
    #[must_use]
    pub fn all(self) -> u64 {
        self.data + self.journal + self.metadata
    }
}

impl Add for WrittenBytes {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            data: self.data + other.data,
            journal: self.journal + other.journal,
            metadata: self.metadata + other.metadata,
        }
    }
}

impl Sub for WrittenBytes {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            data: self.data - other.data,
            journal: self.journal - other.journal,
            metadata: self.metadata - other.metadata,
        }
    }
}

/// A file that programs have written to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct WrittenFile {
    /// Whether it was written to since it was synced.
    pub is_changed: bool,
    /// Whether it was synced, and not written to since.
    pub is_synced: bool,
    pub bytes: WrittenBytes,
    /// The last transaction that it is part of (`i_sync_tid`), and the last one without which its data is not found (`i_datasync_tid`).
    pub transaction: u64,
    pub data_transaction: u64,
    /// Its bytes, where a write behind them makes it longer; nothing where it is as long as it gets.
    pub size: Option<u64>,
    /// Writes past the page cache that are under way (`i_dio_count`), and whether one of them keeps others from it (`i_rwsem`).
    pub past_cache: u32,
    pub is_locked: bool,
    /// The tick of its last change.
    pub tick: Option<u64>,
    /// Whether its blocks were allocated before they had data.
    pub is_preallocated: bool,
    /// Runs of pages that got their data one after the other, and the page behind the last of them.
    pub runs: u64,
    pub next_page: u64,
    /// Time that programs waited for the journal after its data was written, nanoseconds.
    pub commit_ns: u64,
}

impl WrittenFile {
    /// It has bytes up to this one; whether that makes it longer.
    pub fn grow(&mut self, end: u64) -> bool {
        let grows = self.size.is_some_and(|bytes| bytes < end);
        if grows {
            self.size = Some(end);
        }
        grows
    }
}

/// Who waits until a file is written.
#[derive(Clone, Debug)]
pub(super) enum Waiter<W> {
    /// A program, with what it waits for besides.
    Program(W, SyncKind),
    /// The journal of a store.
    Journal(usize),
}

/// Who waits for a transaction.
pub(super) struct Commit<W> {
    pub store: usize,
    pub number: u64,
    pub file: u32,
    pub since_ns: u64,
    pub waiter: W,
}

/// What a transfer brings or takes.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum Carries {
    #[default]
    ToMemory,
    /// Pages of a file, to the device; with the transfer's number among those of files.
    ToDevice { file: u32, number: u64 },
    /// What a program writes past the page cache, of a file; and where in the file that ends.
    PastCache { file: u32, end: u64 },
    /// What a journal has asked for.
    Journal { store: usize },
    /// Nothing: it is a flush that a program waits for.
    Flush,
}

/// What writes dirty pages back, and who waits for that.
pub(super) struct Writer<W> {
    pub throttle: Throttle,
    pub flusher: Flusher,
    pub syncs: Syncs<Waiter<W>>,
    /// Programs that wait for transactions, and for room in journals, by store.
    pub commits: Vec<Commit<W>>,
    pub rooms: Vec<(usize, W)>,
    pub reclaim: Reclaim<W>,
    /// Programs that wait until nobody keeps them from a file.
    pub locks: Vec<(u32, W)>,
    /// Time between two looks of the flusher.
    pub flush_ns: u64,
    /// By store.
    pub journals: Vec<StoreJournal>,
    /// By number; those that were written to.
    pub files: Vec<WrittenFile>,
    /// Kept empty, so that handing over allocates nothing.
    pub runs: Vec<MissingRun>,
    /// Pages that may be under write-back at a time; nothing where the device says how many requests of them.
    pub most_writing_pages: Option<u64>,
    /// For times that scatter.
    pub random: Pcg64Mcg,
}

impl<W> Writer<W> {
    /// By `writing`, where so many pages may be dirty; with the journals of stores. `seed` is for what scatters.
    pub fn new(
        writing: &Writing,
        dirtyable_pages: u64,
        journals: Vec<StoreJournal>,
        seed: u64,
    ) -> Self {
        let ns = |s: f64| (s * 1e9) as u64;
        Self {
            throttle: Throttle::new(Limits::of(writing, dirtyable_pages)),
            flusher: Flusher::new(ns(writing.expire_s)),
            syncs: Syncs::default(),
            commits: Vec::new(),
            rooms: Vec::new(),
            reclaim: Reclaim::new(dirtyable_pages),
            locks: Vec::new(),
            flush_ns: ns(writing.flush_s),
            journals,
            files: Vec::new(),
            runs: Vec::new(),
            most_writing_pages: None,
            random: Pcg64Mcg::seed_from_u64(seed ^ WRITES),
        }
    }

    pub fn file(&mut self, file: u32) -> &mut WrittenFile {
        if self.files.len() <= file as usize {
            self.files.resize(file as usize + 1, WrittenFile::default());
        }
        &mut self.files[file as usize]
    }
}
