//! Programs that wait until a file is written (`fsync`). All of its dirty pages are handed over, then waited for
//! (`file_write_and_wait_range`, `mm/filemap.c`), then the journal commits. Some wait for a part of a file, or do only some of that
//! (`sync_file_range`, `fs/sync.c`).

use std::collections::BTreeMap;
use std::ops::Range;

/// Passes over a file: a page that was under write-back when it was written to is handed over in the second one.
const PASSES: u8 = 2;

/// What a sync does with pages, in this order (flags of `sync_file_range`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageSync {
    /// It waits for those that are on their way to the device (`SYNC_FILE_RANGE_WAIT_BEFORE`).
    pub waits_before: bool,
    /// It hands dirty ones to the device (`SYNC_FILE_RANGE_WRITE`).
    pub hands_over: bool,
    /// It waits for those that are on their way by then (`SYNC_FILE_RANGE_WAIT_AFTER`).
    pub waits_after: bool,
}

impl PageSync {
    /// Has all on the device that is dirty (`filemap_write_and_wait_range`).
    pub const WRITTEN: Self = Self {
        waits_before: false,
        hands_over: true,
        waits_after: true,
    };
}

/// A part of a file, and what is done with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SyncPart {
    pub file: u32,
    /// Extents of the page cache.
    pub extents: Range<u32>,
    /// The number of the first of them among those of the file.
    pub first: u64,
    pub does: PageSync,
}

/// What a sync needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The dirty pages of its part are to be handed over.
    HandsOver,
    /// Nothing: it waits for what is under way.
    Waits,
    /// All is done.
    Done,
}

/// A program that waits for a part of a file.
#[derive(Clone, Debug)]
struct Sync<W> {
    part: SyncPart,
    waiter: W,
    /// The extent that is looked at next.
    next: u64,
    passes: u8,
    /// The last transfer that it waits for before it hands anything over; 0 for none.
    before: u64,
    /// The last transfer that it waits for, once all is handed over.
    until: Option<u64>,
}

/// Programs that wait for files, and what is under way of files.
#[derive(Clone, Debug)]
pub(crate) struct Syncs<W> {
    waiting: Vec<Sync<W>>,
    /// The one that hands over next.
    turn: usize,
    /// Transfers under way, by file and number, with their extents.
    under_way: BTreeMap<(u32, u64), Range<u32>>,
    begun: u64,
}

impl<W> Default for Syncs<W> {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            turn: 0,
            under_way: BTreeMap::new(),
            begun: 0,
        }
    }
}

impl<W> Syncs<W> {
    /// `waiter` waits for all of `part` that is dirty now, as far as that is to be waited for.
    pub fn add(&mut self, part: SyncPart, waiter: W) {
        let begun = self.begun;
        self.waiting.push(Sync {
            waiter,
            next: part.first,
            passes: 0,
            before: if part.does.waits_before { begun } else { 0 },
            until: (!part.does.hands_over).then_some(begun),
            part,
        });
    }

    /// Transfers of files that are under way.
    pub fn transfers(&self) -> usize {
        self.under_way.len()
    }

    /// Whether somebody waits for `file`.
    pub fn is_waited_for(&self, file: u32) -> bool {
        self.waiting.iter().any(|sync| sync.part.file == file)
    }

    /// Whether something of a part is under way.
    pub fn is_under_way(&self, part: &SyncPart) -> bool {
        self.waits_for(part, u64::MAX)
    }

    /// Whether something of a part is under way that began with this transfer or before.
    fn waits_for(&self, part: &SyncPart, until: u64) -> bool {
        let mut of_file = self.under_way.range((part.file, 0)..=(part.file, until));
        of_file.any(|(_, it)| it.start < part.extents.end && part.extents.start < it.end)
    }

    /// A transfer of extents of `file` begins; its number.
    pub fn begin(&mut self, file: u32, extents: Range<u32>) -> u64 {
        self.begun += 1;
        self.under_way.insert((file, self.begun), extents);
        self.begun
    }

    /// A transfer ends.
    pub fn end(&mut self, file: u32, number: u64) {
        self.under_way.remove(&(file, number));
    }

    /// The file of the next sync that hands pages over, and where that is looked at; each has its turn.
    pub fn turn(&mut self) -> Option<(usize, u32)> {
        let count = self.waiting.len();
        let numbers = (0..count).map(|it| (self.turn + it) % count);
        let mut that_hand_over = numbers.filter(|&it| {
            let sync = &self.waiting[it];
            sync.until.is_none() && !self.waits_for(&sync.part, sync.before)
        });
        let number = that_hand_over.next()?;
        self.turn = number + 1;
        Some((number, self.waiting[number].part.file))
    }

    /// Where the file of a sync is looked at next, and the extent behind the last that is.
    pub fn place(&mut self, number: usize) -> (&mut u64, u32) {
        let sync = &mut self.waiting[number];
        (&mut sync.next, sync.part.extents.end)
    }

    /// All dirty pages of a sync's part are handed over.
    pub fn reach_end(&mut self, number: usize) {
        self.waiting[number].until = Some(self.begun);
    }

    /// What a sync needs; `is_dirty` says whether a part has dirty pages.
    fn step(&self, number: usize, is_dirty: &impl Fn(&SyncPart) -> bool) -> Step {
        let sync = &self.waiting[number];
        let PageSync {
            hands_over,
            waits_after,
            ..
        } = sync.part.does;
        if self.waits_for(&sync.part, sync.before) {
            return Step::Waits;
        }
        let Some(until) = sync.until else {
            return Step::HandsOver;
        };
        if waits_after && self.waits_for(&sync.part, until) {
            return Step::Waits;
        }
        let may_go_on = hands_over && waits_after && sync.passes + 1 < PASSES;
        match may_go_on && is_dirty(&sync.part) {
            true => Step::HandsOver,
            false => Step::Done,
        }
    }

    /// Takes a sync out that is done, if there is one: its file and who waits. `is_dirty` says whether a part has dirty pages.
    pub fn take_done(&mut self, is_dirty: &impl Fn(&SyncPart) -> bool) -> Option<(u32, W)> {
        for number in 0..self.waiting.len() {
            match self.step(number, is_dirty) {
                Step::Waits => {}
                Step::HandsOver if self.waiting[number].until.is_some() => {
                    let sync = &mut self.waiting[number];
                    (sync.next, sync.until) = (sync.part.first, None);
                    sync.passes += 1;
                }
                Step::HandsOver => {}
                Step::Done => {
                    let sync = self.waiting.remove(number);
                    return Some((sync.part.file, sync.waiter));
                }
            }
        }
        None
    }
}
