//! Threads that read and parse blocks of logs ahead of the thread that makes rows of them.
//!
//! A job is the next block of a source. Whoever takes it cuts the block off under the source's lock, decompressing it
//! if need be, and parses it outside. The thread that makes rows takes jobs too while what it needs is not ready, so
//! that `n` threads in all keep `n` processors busy, and one thread reads as if there were no others. Memory goes by
//! the jobs outstanding, of which every source has a fixed number.

use super::batch::Batch;
use super::framing::Blocks;
use super::log_file::Parsers;
use super::names::Names;
use crate::formats::Format;
use std::collections::{HashMap, VecDeque};
use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// A log file whose blocks are read.
struct Source {
    number: u64,
    /// The rule for logs that takes it.
    log_rule: usize,
    input: Mutex<SourceInput>,
    parsers: Parsers,
    /// Parsers that are at rest.
    idle: Mutex<Vec<Box<dyn Format>>>,
    names: Names,
}

struct SourceInput {
    blocks: Blocks,
    next: u64,
    has_ended: bool,
    /// The parser of all lines that later ones depend on, where there are such lines.
    in_order: Option<Box<dyn Format>>,
}

/// A block of a source, parsed; none at its end.
type PreparedBatch = io::Result<Option<Batch>>;

impl Source {
    /// Parses the next block, and says which it is; none after the end.
    fn prepare(&self, mut batch: Batch) -> Option<(u64, PreparedBatch)> {
        let mut input = lock(&self.input);
        if input.has_ended {
            return None;
        }
        let number = input.next;
        input.next += 1;
        match input.blocks.next(&mut batch.block) {
            Ok(true) => input.has_ended = batch.block.is_last,
            end => {
                input.has_ended = true;
                return Some((number, end.map(|_| None)));
            }
        }
        if let Some(parser) = &mut input.in_order {
            let names = self.names.look_up(self.log_rule);
            match parser.beside(batch.block.bytes()) {
                Some(mut parser) => {
                    drop(input);
                    batch.parse(parser.as_mut(), &names);
                }
                None => batch.parse(parser.as_mut(), &names),
            }
            batch.depends_on_order = false;
        } else {
            drop(input);
            self.parse(&mut batch);
        }
        Some((number, Ok(Some(batch))))
    }

    fn parse(&self, batch: &mut Batch) {
        let idle = lock(&self.idle).pop();
        let mut parser = idle.unwrap_or_else(|| self.parsers.parser());
        batch.parse(parser.as_mut(), &self.names.look_up(self.log_rule));
        if !batch.depends_on_order {
            lock(&self.idle).push(parser);
        }
    }
}

/// Jobs and what came of them.
#[derive(Default)]
struct Board {
    jobs: VecDeque<Arc<Source>>,
    /// By numbers of source and block.
    prepared: HashMap<(u64, u64), PreparedBatch>,
    /// Batches to be used again.
    spare: Vec<Batch>,
    sources: u64,
    threads: usize,
    waiting: usize,
    is_closed: bool,
    has_panicked: bool,
}

/// What threads share.
#[derive(Default)]
struct Shared {
    board: Mutex<Board>,
    /// There is a job, or no more will come.
    work: Condvar,
    /// A block was prepared.
    done: Condvar,
}

impl Shared {
    /// Takes jobs until no more will come.
    fn work(&self) {
        let mut board = lock(&self.board);
        while !board.is_closed {
            board = match board.jobs.pop_front() {
                Some(source) => self.prepare(&source, board),
                None => {
                    board.waiting += 1;
                    let mut board = wait(&self.work, board);
                    board.waiting -= 1;
                    board
                }
            };
        }
    }

    /// Does a job, without the board meanwhile.
    fn prepare<'a>(
        &'a self,
        source: &Source,
        mut board: MutexGuard<'a, Board>,
    ) -> MutexGuard<'a, Board> {
        let batch = board.spare.pop().unwrap_or_default();
        drop(board);
        let prepared = source.prepare(batch);
        let mut board = lock(&self.board);
        if let Some((block, prepared)) = prepared {
            board.prepared.insert((source.number, block), prepared);
            self.done.notify_one();
        }
        board
    }
}

/// Tells the thread that waits for a block when the one that parses it panics.
struct TellPanic(Arc<Shared>);

impl Drop for TellPanic {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.board).has_panicked = true;
            self.0.done.notify_one();
        }
    }
}

/// The threads.
pub(super) struct Workers {
    shared: Arc<Shared>,
    /// Threads beside the one that makes rows, at most.
    most: usize,
    /// Blocks of each source that are read ahead.
    ahead: u64,
}

impl Workers {
    /// At most `threads` threads, the calling one among them, which read `ahead` blocks ahead of each source. They
    /// start when there is work for them.
    pub(super) fn new(threads: usize, ahead: u64) -> Workers {
        Workers {
            shared: Arc::default(),
            most: threads.saturating_sub(1),
            ahead,
        }
    }

    /// The batches of a source. With `in_order` one parser parses all of it.
    pub(super) fn read(
        &self,
        blocks: Blocks,
        parsers: Parsers,
        in_order: bool,
        log_rule: usize,
        names: Names,
    ) -> Batches {
        let in_order = in_order.then(|| parsers.parser());
        let mut board = lock(&self.shared.board);
        board.sources += 1;
        let source = Source {
            number: board.sources,
            log_rule,
            input: Mutex::new(SourceInput {
                blocks,
                next: 0,
                has_ended: false,
                in_order,
            }),
            parsers,
            idle: Mutex::default(),
            names,
        };
        Batches {
            shared: self.shared.clone(),
            most_threads: self.most,
            ahead: self.ahead,
            source: Arc::new(source),
            taken: 0,
            asked: 0,
            has_ended: false,
        }
    }
}

/// Threads are not waited for: one may be reading from a pipe into which nobody writes any more.
impl Drop for Workers {
    fn drop(&mut self) {
        lock(&self.shared.board).is_closed = true;
        self.shared.work.notify_all();
    }
}

/// The batches of one source, in order.
pub(super) struct Batches {
    shared: Arc<Shared>,
    most_threads: usize,
    ahead: u64,
    source: Arc<Source>,
    /// Blocks taken.
    taken: u64,
    /// Jobs given out.
    asked: u64,
    has_ended: bool,
}

impl Batches {
    /// The next batch, in exchange for the last one; none at the end.
    pub(super) fn next(&mut self, last: Batch) -> PreparedBatch {
        let shared = self.shared.clone();
        let mut board = lock(&shared.board);
        board.spare.push(last);
        if self.has_ended {
            return Ok(None);
        }
        self.ask_for(self.taken + 1, &mut board);
        let prepared = self.take(&shared, board);
        self.taken += 1;
        self.has_ended = !matches!(&prepared, Ok(Some(batch)) if !batch.block.is_last);
        if !self.has_ended && self.most_threads > 0 {
            self.read_ahead(&shared);
        }
        prepared
    }

    /// Waits for the next block, and does jobs meanwhile: those of its own source first.
    fn take<'a>(&self, shared: &'a Shared, mut board: MutexGuard<'a, Board>) -> PreparedBatch {
        loop {
            if let Some(prepared) = board.prepared.remove(&(self.source.number, self.taken)) {
                return prepared;
            }
            assert!(!board.has_panicked, "a thread that parsed a log panicked");
            let own = board.jobs.iter().position(|job| self.is_of(job));
            board = match board.jobs.remove(own.unwrap_or(0)) {
                Some(source) => shared.prepare(&source, board),
                None => wait(&shared.done, board),
            };
        }
    }

    /// Gives out jobs for the blocks ahead, and starts threads that they need.
    fn read_ahead(&mut self, shared: &Arc<Shared>) {
        let mut board = lock(&shared.board);
        self.ask_for(self.taken + self.ahead, &mut board);
        while board.jobs.len() > board.waiting && board.threads < self.most_threads {
            let shared = shared.clone();
            let thread = thread::Builder::new().name("log parser".into());
            let started = thread.spawn(move || {
                let shared = TellPanic(shared);
                shared.0.work();
            });
            // The threads that there are do all jobs in time.
            if started.is_err() {
                break;
            }
            board.threads += 1;
        }
        let needed = board.jobs.len().min(board.waiting);
        drop(board);
        (0..needed).for_each(|_| shared.work.notify_one());
    }

    /// Sees to it that the blocks before `block` are taken or asked for.
    fn ask_for(&mut self, block: u64, board: &mut Board) {
        while self.asked < block {
            self.asked += 1;
            board.jobs.push_back(self.source.clone());
        }
    }

    fn is_of(&self, job: &Arc<Source>) -> bool {
        Arc::ptr_eq(&self.source, job)
    }
}

/// What was read ahead is forgotten.
impl Drop for Batches {
    fn drop(&mut self) {
        let mut board = lock(&self.shared.board);
        board.jobs.retain(|job| !self.is_of(job));
        board
            .prepared
            .retain(|(source, _), _| *source != self.source.number);
    }
}

/// A thread that panicked leaves nothing half done: its block is lost, which the others are told.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn wait<'a, T>(condition: &Condvar, guard: MutexGuard<'a, T>) -> MutexGuard<'a, T> {
    condition
        .wait(guard)
        .unwrap_or_else(PoisonError::into_inner)
}
