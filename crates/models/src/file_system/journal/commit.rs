//! Commits, and making room for more of them (`fs/jbd2/transaction.c`, `commit.c` and `checkpoint.c`).

use std::collections::{BTreeSet, HashMap, VecDeque};
use std::fmt;

use hotset_scenario::Journal as Mode;

use super::format::{BLOCK_BYTES, Format};
use super::log::Log;
use super::transaction::{Block, Transaction};

/// Bytes that are kept free (`jbd2_log_space_left`, `include/linux/jbd2.h`: 32 blocks).
const KEPT_FREE: u64 = 32 * BLOCK_BYTES;

/// What a journal is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalSettings {
    /// How it writes transactions.
    pub format: Format,
    /// What it keeps.
    pub mode: Mode,
    /// Whether the device's cache is flushed before a transaction counts, and behind it.
    pub barrier: bool,
    /// Whether the device can write past its cache (`REQ_FUA`): the last write of a commit then needs no flush behind it.
    pub forces: bool,
    /// Nanoseconds after which a transaction is committed anyway.
    pub commit_ns: u64,
    /// Its first byte on the device.
    pub start: u64,
    /// Its bytes.
    pub bytes: u64,
}

/// Where a step writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Area {
    /// Into the journal.
    Log,
    /// To blocks' own places.
    Home,
}

/// What has to be done next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// All that is dirty of these files is written.
    Data(Vec<u32>),
    /// All of this is written, in any order.
    Write {
        /// Where.
        area: Area,
        /// First bytes on the device, and how many from there on.
        places: Vec<(u64, u64)>,
        /// Files that it is for.
        files: Vec<u32>,
    },
    /// What was written so far is put on the medium.
    Flush,
    /// Nothing.
    Rest,
}

/// The transaction that a change has become part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joined {
    /// Its number.
    pub number: u64,
    /// When it is committed by itself, where it begins with this change.
    pub commits_ns: Option<u64>,
}

/// Steps that belong together, and what is so when all are done.
#[derive(Clone, Debug)]
struct Work {
    steps: VecDeque<Step>,
    ends: End,
}

#[derive(Clone, Debug)]
enum End {
    /// This transaction is committed, in so many bytes.
    Commit(Transaction, u64),
    /// All of the oldest one, with this number, is at its own place.
    Home(u64),
}

/// A committed transaction, of which something may not be at its own place yet (`j_checkpoint_transactions`).
#[derive(Clone, Debug)]
struct Checkpoint {
    number: u64,
    /// When it was committed.
    since_ns: u64,
    /// Bytes that it takes in the journal.
    bytes: u64,
    left: BTreeSet<Block>,
    files: BTreeSet<u32>,
}

/// A journal.
#[derive(Clone)]
pub struct Journal {
    settings: JournalSettings,
    log: Log,
    largest_bytes: u64,
    running: Option<Transaction>,
    /// Numbers of the last transaction that has begun, of the last that is to be committed, and of the last that is.
    last: u64,
    requested: u64,
    committed: u64,
    work: Option<Work>,
    /// The oldest first, with numbers that follow each other.
    checkpoints: VecDeque<Checkpoint>,
    /// The last committed transaction of each block that is not at its own place.
    kept: HashMap<Block, u64>,
    /// Whether somebody waits for room.
    wants_room: bool,
    /// What was committed up to then is to reach its own place.
    home_before_ns: Option<u64>,
}

impl Journal {
    /// An empty one.
    #[must_use]
    pub fn new(settings: JournalSettings) -> Self {
        Self {
            log: Log::new(settings.start, settings.bytes),
            largest_bytes: settings.format.largest_bytes(settings.bytes),
            settings,
            running: None,
            last: 0,
            requested: 0,
            committed: 0,
            work: None,
            checkpoints: VecDeque::new(),
            kept: HashMap::new(),
            wants_room: false,
            home_before_ns: None,
        }
    }

    /// What it is like.
    #[must_use]
    pub fn settings(&self) -> &JournalSettings {
        &self.settings
    }

    /// The last transaction that is committed.
    #[must_use]
    pub fn committed(&self) -> u64 {
        self.committed
    }

    /// Bytes of it that are free.
    #[must_use]
    pub fn free_bytes(&self) -> u64 {
        self.log.free()
    }

    /// Whether something has yet to reach its own place.
    #[must_use]
    pub fn has_kept(&self) -> bool {
        !self.kept.is_empty() || self.running.is_some() || self.work.is_some()
    }

    /// A deed on `file` changes these blocks, of so many blocks of 4 KiB each (`jbd2_journal_dirty_metadata`).
    pub fn change(
        &mut self,
        now_ns: u64,
        file: u32,
        blocks: impl IntoIterator<Item = (Block, u64)>,
    ) -> Joined {
        let begins = self.running.is_none();
        let Self { running, last, .. } = self;
        let transaction = running.get_or_insert_with(|| {
            *last += 1;
            Transaction::new(*last, now_ns)
        });
        for (block, count) in blocks {
            transaction.add(block, count);
        }
        transaction.files.insert(file);
        let number = transaction.number;
        if self.is_running_full() {
            self.request(number);
        }
        let commits_ns = now_ns.saturating_add(self.settings.commit_ns);
        Joined {
            number,
            commits_ns: begins.then_some(commits_ns),
        }
    }

    /// Data of `file` is to be on the device before the running transaction counts (`ext4_jbd2_inode_add_write`); nothing in other modes
    /// than that.
    pub fn order(&mut self, file: u32) {
        let is_ordered = self.settings.mode == Mode::Ordered;
        if let Some(running) = self.running.as_mut().filter(|_| is_ordered) {
            running.ordered.insert(file);
        }
    }

    /// Transactions up to this one are to be committed (`jbd2_log_start_commit`).
    pub fn request(&mut self, number: u64) {
        self.requested = self.requested.max(number);
    }

    /// The running transaction is to be committed, where it is old enough (`commit_timeout`, `fs/jbd2/journal.c`).
    pub fn request_old(&mut self, now_ns: u64) {
        let commit_ns = self.settings.commit_ns;
        let is_old = |it: &&Transaction| it.since_ns.saturating_add(commit_ns) <= now_ns;
        if let Some(number) = self.running.as_ref().filter(is_old).map(|it| it.number) {
            self.request(number);
        }
    }

    /// Whether a deed has to wait before it may begin. That is so where too little is free (`add_transaction_credits`), or the running
    /// transaction is as large as it may get.
    pub fn ask_for_room(&mut self) -> bool {
        let lacks_room = self.lacks_room();
        self.wants_room |= lacks_room;
        lacks_room || self.is_running_full()
    }

    /// Whether a deed may begin: there is room for what it changes.
    #[must_use]
    pub fn has_room(&self) -> bool {
        !self.lacks_room() && !self.is_running_full()
    }

    fn lacks_room(&self) -> bool {
        let left = self.log.free().saturating_sub(KEPT_FREE);
        self.settings.format != Format::InPlace && left < self.largest_bytes
    }

    fn is_running_full(&self) -> bool {
        let full = |it: &Transaction| self.settings.format.body_bytes(it.blocks);
        let bytes = self.running.as_ref().map_or(0, full);
        bytes >= self.largest_bytes
    }

    /// What was committed up to a time is to reach its own place: the kernel's flusher finds it dirty for long enough.
    pub fn write_home(&mut self, before_ns: u64) {
        self.home_before_ns = Some(before_ns);
    }

    /// A block has reached its own place without the journal.
    pub fn reach_home(&mut self, block: Block) {
        if let Some(number) = self.kept.remove(&block) {
            self.leave(number, block);
            self.give_back();
        }
    }

    /// What is to be done next. All that the last step asked for is done.
    pub fn next(&mut self, now_ns: u64) -> Step {
        loop {
            if self.work.is_none() {
                self.work = self.begin();
            }
            let Some(work) = self.work.as_mut() else {
                return Step::Rest;
            };
            if let Some(step) = work.steps.pop_front() {
                return step;
            }
            if let Some(Work { ends, .. }) = self.work.take() {
                self.end(now_ns, ends);
            }
        }
    }

    /// Commits what is to be committed, where there is room. Else makes room, by transaction.
    fn begin(&mut self) -> Option<Work> {
        let is_due = |it: &&Transaction| it.number <= self.requested;
        let due = self.running.as_ref().filter(is_due);
        let fits = due.is_some_and(|it| self.bytes_of(it.blocks) <= self.log.free());
        let is_due = due.is_some();
        if is_due && (fits || self.checkpoints.is_empty()) {
            let transaction = self.running.take()?;
            return Some(self.commit(transaction));
        }
        self.wants_room &= self.lacks_room();
        let oldest = self.checkpoints.front()?;
        let is_old = self.home_before_ns.is_some_and(|it| oldest.since_ns <= it);
        let lacks_room = is_due || self.wants_room;
        (lacks_room || is_old).then(|| self.bring_home(oldest, lacks_room))
    }

    fn bytes_of(&self, blocks: u64) -> u64 {
        self.settings.format.body_bytes(blocks) + self.settings.format.record_bytes()
    }

    /// The steps of a commit (`jbd2_journal_commit_transaction`; `xlog_cil_push_work`, `fs/xfs/xfs_log_cil.c`).
    fn commit(&mut self, transaction: Transaction) -> Work {
        let format = self.settings.format;
        let free_before = self.log.free();
        let files: Vec<u32> = transaction.files.iter().copied().collect();
        let mut steps = VecDeque::new();
        if !transaction.ordered.is_empty() {
            steps.push_back(Step::Data(transaction.ordered.iter().copied().collect()));
        }
        if format == Format::Xfs {
            self.flush(&mut steps);
        }
        let (area, places) = match format {
            Format::InPlace => (Area::Home, side_by_side(&transaction.changed)),
            Format::Jbd2 | Format::Xfs => {
                let bytes = format.body_bytes(transaction.blocks);
                (Area::Log, self.log.take(bytes))
            }
        };
        steps.push_back(Step::Write {
            area,
            places,
            files: files.clone(),
        });
        // A flush before the record, or what makes the last write count.
        match format {
            Format::Jbd2 | Format::InPlace => self.flush(&mut steps),
            Format::Xfs => self.keep(&mut steps),
        }
        let record_bytes = format.record_bytes();
        if record_bytes > 0 {
            let places = self.log.take(record_bytes);
            steps.push_back(Step::Write {
                area: Area::Log,
                places,
                files,
            });
            self.keep(&mut steps);
        }
        let bytes = free_before - self.log.free();
        Work {
            steps,
            ends: End::Commit(transaction, bytes),
        }
    }

    fn flush(&self, steps: &mut VecDeque<Step>) {
        if self.settings.barrier {
            steps.push_back(Step::Flush);
        }
    }

    /// What was just written of the log stays there: it was written past the device's cache, or a flush follows (`jbd2_write_superblock`,
    /// `journal_submit_commit_record`; `xlog_write_iclog`).
    fn keep(&self, steps: &mut VecDeque<Step>) {
        if !self.settings.forces {
            self.flush(steps);
        }
    }

    /// The steps that bring all that is left of a committed transaction to its own place. `gives_back`: the journal's first block is told
    /// that its bytes are free (`jbd2_log_do_checkpoint`, `jbd2_cleanup_journal_tail`).
    fn bring_home(&self, oldest: &Checkpoint, gives_back: bool) -> Work {
        let mut steps = VecDeque::new();
        let files: Vec<u32> = oldest.files.iter().copied().collect();
        let data: BTreeSet<u32> = oldest.left.iter().filter_map(|it| it.file()).collect();
        if !data.is_empty() {
            steps.push_back(Step::Data(data.into_iter().collect()));
        }
        let places = side_by_side(&oldest.left);
        if !places.is_empty() {
            steps.push_back(Step::Write {
                area: Area::Home,
                places,
                files: files.clone(),
            });
        }
        if gives_back && self.settings.format == Format::Jbd2 {
            self.flush(&mut steps);
            steps.push_back(Step::Write {
                area: Area::Log,
                places: vec![(self.log.start(), BLOCK_BYTES)],
                files,
            });
            self.keep(&mut steps);
        }
        Work {
            steps,
            ends: End::Home(oldest.number),
        }
    }

    fn end(&mut self, now_ns: u64, ends: End) {
        match ends {
            End::Commit(transaction, bytes) => self.end_commit(now_ns, transaction, bytes),
            End::Home(number) => {
                let oldest = self.checkpoints.front_mut();
                let oldest = oldest.filter(|it| it.number == number);
                for block in oldest.map_or_else(BTreeSet::new, |it| std::mem::take(&mut it.left)) {
                    self.kept.remove(&block);
                }
            }
        }
        self.give_back();
    }

    /// What a later transaction commits again need not be brought home for the earlier one (`__jbd2_journal_insert_checkpoint`).
    fn end_commit(&mut self, now_ns: u64, transaction: Transaction, bytes: u64) {
        let number = transaction.number;
        self.committed = number;
        if self.settings.format == Format::InPlace {
            return;
        }
        for &block in &transaction.changed {
            if let Some(before) = self.kept.insert(block, number) {
                self.leave(before, block);
            }
        }
        self.checkpoints.push_back(Checkpoint {
            number,
            since_ns: now_ns,
            bytes,
            left: transaction.changed,
            files: transaction.files,
        });
    }

    /// A block is no longer what a committed transaction is kept for.
    fn leave(&mut self, number: u64, block: Block) {
        let first = self.checkpoints.front().map_or(0, |it| it.number);
        let at = number.checked_sub(first).map(|it| it as usize);
        if let Some(checkpoint) = at.and_then(|it| self.checkpoints.get_mut(it)) {
            checkpoint.left.remove(&block);
        }
    }

    /// Frees the bytes of the oldest transactions, as far as nothing of them is left (`__jbd2_journal_clean_checkpoint_list`).
    fn give_back(&mut self) {
        while let Some(oldest) = self.checkpoints.front() {
            if !oldest.left.is_empty() {
                return;
            }
            self.log.give_back(oldest.bytes);
            self.checkpoints.pop_front();
        }
    }
}

/// Alike for journals that go on alike: transactions stand by how many were committed before them. Where the area is written next is left
/// out.
impl fmt::Debug for Journal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ahead = |number: u64| number as i64 - self.committed as i64;
        let content = |it: &Transaction| {
            let data = it.ordered.len();
            (ahead(it.number), it.since_ns, it.changed.clone(), data)
        };
        let work = self.work.as_ref().map(|it| match &it.ends {
            End::Commit(transaction, bytes) => (&it.steps, Some(content(transaction)), *bytes),
            End::Home(number) => (&it.steps, None, self.committed - *number),
        });
        let kept = self.checkpoints.iter();
        let kept = kept.map(|it| (ahead(it.number), it.since_ns, it.bytes, &it.left));
        f.debug_struct("Journal")
            .field("running", &self.running.as_ref().map(content))
            .field("requested", &ahead(self.requested.max(self.committed)))
            .field("work", &work)
            .field("kept", &kept.collect::<Vec<_>>())
            .field("free_bytes", &self.log.free())
            .field("wants_room", &self.wants_room)
            .field("home_before_ns", &self.home_before_ns)
            .finish()
    }
}

/// Own places of blocks, those side by side in one.
fn side_by_side(blocks: &BTreeSet<Block>) -> Vec<(u64, u64)> {
    let offsets: BTreeSet<u64> = blocks.iter().filter_map(|it| it.place()).collect();
    let mut places: Vec<(u64, u64)> = Vec::new();
    for offset in offsets {
        match places.last_mut() {
            Some((start, bytes)) if *start + *bytes == offset => *bytes += BLOCK_BYTES,
            _ => places.push((offset, BLOCK_BYTES)),
        }
    }
    places
}
