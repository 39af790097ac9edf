//! Programs that wait until a file is written (`fsync`). All of its dirty pages are handed over, then waited for
//! (`file_write_and_wait_range`, `mm/filemap.c`), then the journal commits.

use std::collections::BTreeSet;

/// Passes over a file: a page that was under write-back when it was written to is handed over in the second one.
const PASSES: u8 = 2;

/// What a sync needs next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The dirty pages of its file are to be handed over.
    HandsOver,
    /// Nothing: it waits for what is under way.
    Waits,
    /// All is on the device.
    Written,
}

/// A program that waits for a file.
#[derive(Clone, Debug)]
struct Sync<W> {
    file: u32,
    waiter: W,
    /// The extent that is looked at next.
    next: u64,
    passes: u8,
    /// The last transfer that it waits for, once all is handed over.
    until: Option<u64>,
}

/// Programs that wait for files, and what is under way of files.
#[derive(Clone, Debug)]
pub(crate) struct Syncs<W> {
    waiting: Vec<Sync<W>>,
    /// The one that hands over next.
    turn: usize,
    /// Transfers under way, by file and number.
    under_way: BTreeSet<(u32, u64)>,
    begun: u64,
}

impl<W> Default for Syncs<W> {
    fn default() -> Self {
        Self {
            waiting: Vec::new(),
            turn: 0,
            under_way: BTreeSet::new(),
            begun: 0,
        }
    }
}

impl<W> Syncs<W> {
    /// `waiter` waits for all that is dirty of `file` now.
    pub fn add(&mut self, file: u32, waiter: W) {
        self.waiting.push(Sync {
            file,
            waiter,
            next: 0,
            passes: 0,
            until: None,
        });
    }

    /// Transfers of files that are under way.
    pub fn transfers(&self) -> usize {
        self.under_way.len()
    }

    /// Whether somebody waits for `file`.
    pub fn is_waited_for(&self, file: u32) -> bool {
        self.waiting.iter().any(|sync| sync.file == file)
    }

    /// Whether something of `file` is under way.
    pub fn is_under_way(&self, file: u32) -> bool {
        let mut of_file = self.under_way.range((file, 0)..=(file, u64::MAX));
        of_file.next().is_some()
    }

    /// A transfer of `file` begins; its number.
    pub fn begin(&mut self, file: u32) -> u64 {
        self.begun += 1;
        self.under_way.insert((file, self.begun));
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
        let mut that_hand_over = numbers.filter(|&it| self.waiting[it].until.is_none());
        let number = that_hand_over.next()?;
        self.turn = number + 1;
        Some((number, self.waiting[number].file))
    }

    /// Where the file of a sync is looked at next.
    pub fn place(&mut self, number: usize) -> &mut u64 {
        &mut self.waiting[number].next
    }

    /// All dirty pages of a sync's file are handed over.
    pub fn reach_end(&mut self, number: usize) {
        self.waiting[number].until = Some(self.begun);
    }

    /// What a sync needs; `is_dirty` says whether its file has dirty pages.
    fn step(&self, number: usize, is_dirty: bool) -> Step {
        let sync = &self.waiting[number];
        let Some(until) = sync.until else {
            return Step::HandsOver;
        };
        let mut waited_for = self.under_way.range((sync.file, 0)..=(sync.file, until));
        match waited_for.next() {
            Some(_) => Step::Waits,
            None if is_dirty && sync.passes + 1 < PASSES => Step::HandsOver,
            None => Step::Written,
        }
    }

    /// Takes a sync out whose file is written, if there is one: its file and who waits. `is_dirty` says of a file whether it has dirty pages.
    pub fn take_written(&mut self, is_dirty: &impl Fn(u32) -> bool) -> Option<(u32, W)> {
        for number in 0..self.waiting.len() {
            let file = self.waiting[number].file;
            match self.step(number, is_dirty(file)) {
                Step::Waits => {}
                Step::HandsOver if self.waiting[number].until.is_some() => {
                    let sync = &mut self.waiting[number];
                    (sync.next, sync.until) = (0, None);
                    sync.passes += 1;
                }
                Step::HandsOver => {}
                Step::Written => {
                    let sync = self.waiting.remove(number);
                    return Some((sync.file, sync.waiter));
                }
            }
        }
        None
    }
}
