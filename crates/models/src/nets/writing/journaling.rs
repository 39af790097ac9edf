//! What writing changes of the file system's own, and the journal that it goes through.

use std::fmt;
use std::ops::Range;

use hotset_petri::{Colour, Time};
use hotset_scenario::Journal as Mode;

use super::job::WriteJob;
use super::layout::FileLayout;
use super::tokens::Fsync;
use crate::file_system::FileSystemKind;
use crate::file_system::journal::{Block, Format, Journal, JournalSettings, Metadata, Step};
use crate::nets::tokens::PageSet;

/// The file, for the objects that know several.
const FILE: u32 = 0;
/// Time between two ticks, in which the time of the file's last change stays as it is (`inode_set_ctime_current`, `fs/inode.c`; 250 a
/// second).
const TICK_NS: u64 = 4_000_000;

/// What becomes of a program that waits for the journal.
#[derive(Clone, Copy, Debug)]
pub(super) enum Commit {
    /// It need not wait.
    Done(Fsync),
    /// It waits for the file's transaction.
    Waits,
    /// It waits until the disk has flushed its own cache.
    Flushes(Fsync),
}

/// The journal, and what is known of the file.
#[derive(Clone)]
pub(super) struct Journaling {
    journal: Journal,
    metadata: Metadata,
    layout: FileLayout,
    file_pages: u64,
    /// Pages that never had data.
    fresh: PageSet,
    /// Runs of pages that got their data one after the other, and the page behind the last of them.
    runs: u64,
    next_page: u64,
    /// Whether the file was written to since it was synced.
    is_changed: bool,
    /// The last transaction that it is part of.
    transaction: u64,
    /// The tick of its last change.
    tick: Option<u64>,
    /// What is under way of what the journal has asked for.
    under_way: usize,
    /// What flushing the disk's own cache takes, nanoseconds.
    flush_ns: u64,
    /// The program that waits for a transaction.
    waits: Option<(u64, Fsync)>,
    /// Whether transactions are committed by time.
    has_timer: bool,
    /// When the last transaction that began is, and whether the timer runs or is to be set.
    due: Time,
    is_armed: bool,
    is_to_be_armed: bool,
}

impl Colour for Journaling {}

/// Alike for what goes on alike: transactions stand by how many were committed before them.
impl fmt::Debug for Journaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let committed = self.journal.committed();
        let ahead = |number: u64| number.saturating_sub(committed);
        let waits = self.waits.as_ref().map(|it| (ahead(it.0), it.1));
        f.debug_struct("Journaling")
            .field("journal", &self.journal)
            .field("fresh", &self.fresh)
            .field("runs", &(self.runs, self.next_page))
            .field("changed", &(self.is_changed, ahead(self.transaction)))
            .field("tick", &self.tick)
            .field("under_way", &self.under_way)
            .field("waits", &waits)
            .field("timer", &(self.due, self.is_armed, self.is_to_be_armed))
            .finish()
    }
}

impl Journaling {
    /// An empty journal, behind the file.
    pub fn new(job: &WriteJob, layout: FileLayout) -> Self {
        let file_pages = job.file_pages();
        let format = match job.journal {
            Mode::None => Format::InPlace,
            Mode::Ordered | Mode::Writeback | Mode::Data => Format::Jbd2,
        };
        let fresh = if job.is_new { file_pages } else { 0 };
        Self {
            journal: Journal::new(JournalSettings {
                format,
                mode: job.journal,
                barrier: true,
                commit_ns: job.commit_ns.unwrap_or(u64::MAX),
                start: layout.bytes(file_pages),
                bytes: job.journal_bytes,
                forces: false,
            }),
            metadata: Metadata::of(layout.0),
            layout,
            file_pages,
            fresh: PageSet((0..fresh).collect()),
            runs: 0,
            next_page: 0,
            is_changed: false,
            transaction: 0,
            tick: None,
            under_way: 0,
            flush_ns: job.flush_ns,
            waits: None,
            has_timer: job.commit_ns.is_some(),
            due: Time::ZERO,
            is_armed: false,
            is_to_be_armed: false,
        }
    }

    /// Whether a page may be begun.
    pub fn has_room(&self) -> bool {
        self.journal.has_room()
    }

    /// A page waits for room.
    pub fn ask_for_room(&mut self) {
        self.journal.ask_for_room();
    }

    /// Whether there is something that has yet to reach its own place.
    pub fn has_kept(&self) -> bool {
        self.journal.has_kept()
    }

    /// What was committed up to a time is to reach its own place.
    pub fn write_home(&mut self, before_ns: Option<u64>) {
        if let Some(before_ns) = before_ns {
            self.journal.write_home(before_ns);
        }
    }

    fn has_data(&self) -> bool {
        self.journal.settings().mode == Mode::Data
    }

    /// Whether pages are allocated when they are written to; else when they come to the disk.
    fn allocates_at_once(&self) -> bool {
        self.layout.0 == FileSystemKind::Ext3 || self.has_data()
    }

    /// A program has written to a page that it began at a time: the file's time of change is new, where a tick has passed.
    pub fn write(&mut self, began: Time, page: u64) {
        self.is_changed = true;
        let tick = Some(began.nanos() / TICK_NS);
        let is_stamped = std::mem::replace(&mut self.tick, tick) != tick;
        let mut blocks = Vec::new();
        if is_stamped {
            blocks.push(self.metadata.inode(FILE));
        }
        let is_allocated = self.allocates_at_once() && self.allocate(page..page + 1, &mut blocks);
        if self.has_data() {
            blocks.push(data(page));
        }
        self.change(began, blocks);
        // Data of blocks that were just allocated is not to be seen before it is there.
        if is_allocated {
            self.journal.order(FILE);
        }
    }

    /// Pages that were handed over together have come to the disk.
    pub fn written(&mut self, now: Time, pages: Range<u64>) {
        if self.has_data() {
            for page in pages.clone() {
                self.journal.reach_home(data(page));
            }
        }
        if !self.allocates_at_once() {
            let mut blocks = Vec::new();
            self.allocate(pages, &mut blocks);
            self.change(now, blocks);
        }
    }

    /// Adds what changes as pages get their first data; whether any does.
    fn allocate(&mut self, pages: Range<u64>, blocks: &mut Vec<Block>) -> bool {
        let fresh: Vec<u64> = pages.filter(|page| self.fresh.0.remove(page)).collect();
        let (Some(&first), Some(&last)) = (fresh.first(), fresh.last()) else {
            return false;
        };
        if first != self.next_page {
            self.runs += 1;
        }
        self.next_page = last + 1;
        blocks.push(self.metadata.inode(FILE));
        for page in fresh {
            blocks.extend(self.maps(page));
            // A program that writes a file of ext4 has its blocks allocated before (`fallocate`), as fio has.
            if self.layout.0 == FileSystemKind::Ext3 {
                let offset = self.layout.offset(page);
                blocks.extend(self.metadata.allocation(offset));
            }
        }
        true
    }

    /// The block that maps a page; nothing where the inode does.
    fn maps(&self, page: u64) -> Option<Block> {
        let (start, pages) = (self.layout.offset(0), self.file_pages);
        let listed = self.layout.map(page).map(Block::Map);
        listed.or_else(|| self.metadata.extent_map(start, page, pages, self.runs))
    }

    fn change(&mut self, now: Time, blocks: Vec<Block>) {
        if blocks.is_empty() {
            return;
        }
        let blocks = blocks.into_iter().map(|block| (block, 1));
        let joined = self.journal.change(now.nanos(), FILE, blocks);
        self.transaction = joined.number;
        if let Some(commits_ns) = joined.commits_ns {
            self.due = Time::from_nanos(commits_ns);
            self.is_to_be_armed |= self.has_timer && !self.is_armed;
        }
    }

    /// How long until the timer of commits is over, where it is to be set now.
    pub fn timer(&mut self, now: Time) -> Option<Time> {
        let is_set = std::mem::take(&mut self.is_to_be_armed);
        self.is_armed |= is_set;
        is_set.then(|| self.due - now)
    }

    /// The timer of commits is over. Where a later transaction has begun, it is set for that.
    pub fn end_timer(&mut self, now: Time) {
        self.journal.request_old(now.nanos());
        self.is_armed = false;
        self.is_to_be_armed = self.due > now;
    }

    /// A program waits until what was changed is committed, or what was written is on the medium (`ext4_sync_file`, `fs/ext4/fsync.c`).
    pub fn commit(&mut self, fsync: Fsync) -> Commit {
        let is_changed = std::mem::take(&mut self.is_changed);
        if self.transaction > self.journal.committed() {
            self.journal.request(self.transaction);
            self.waits = Some((self.transaction, fsync));
            return Commit::Waits;
        }
        match is_changed && self.flush_ns > 0 {
            true => Commit::Flushes(fsync),
            false => Commit::Done(fsync),
        }
    }

    /// What the journal does next, where nothing is under way of what it did last; and the program that need not wait any longer.
    pub fn next(&mut self, now: Time) -> (Option<Step>, Option<Fsync>) {
        if self.under_way > 0 {
            return (None, None);
        }
        let step = match self.journal.next(now.nanos()) {
            Step::Rest => None,
            step => Some(step),
        };
        let committed = self.journal.committed();
        let waits = self.waits.take_if(|it| it.0 <= committed);
        (step, waits.map(|it| it.1))
    }

    /// So many parts of what the journal asked for are under way.
    pub fn begin(&mut self, parts: usize) {
        self.under_way += parts;
    }

    /// One of them is done.
    pub fn end(&mut self) {
        self.under_way -= 1;
    }

    /// Whether a commit has the disk's own cache flushed.
    pub fn flushes(&self) -> bool {
        self.flush_ns > 0
    }
}

/// A page of the file as the journal knows it.
fn data(page: u64) -> Block {
    Block::Data {
        file: FILE,
        extent: page as u32,
    }
}
