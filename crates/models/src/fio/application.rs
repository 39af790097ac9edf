//! A process of a job: its loop of reads and writes.

use std::collections::VecDeque;

use super::direction::Directions;
use super::next::Next;
use super::offsets::Offsets;
use super::operation::Operation;
use super::replay::Replay;
use super::{Job, Mode, Pattern, SimulationError};
use crate::storage::{OpenFile, SyncKind, WHOLE_FILE};

/// What fio's own loop takes between two reads, nanoseconds: fio 3.33 with its null engine made 8.2 million random reads a
/// second on a processor of the machine that hotset is developed on.
pub(super) const LOOP_NS: u64 = 122;

/// A read that has its data, a write that has given it, a sync that is over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Finished {
    pub operation: Operation,
    pub from_ns: u64,
    pub bytes: u64,
    pub hit: bool,
    /// Whether fio's own loop is yet to come.
    pub is_before_loop: bool,
}

/// A process.
pub(super) struct Process {
    /// Its job's number among those that run.
    pub job: usize,
    /// Its files.
    pub files: Vec<OpenFile>,
    /// When its own processor time is free: its reads are handed over one after the other.
    pub free_ns: u64,
    /// When it begins.
    pub start_ns: u64,
    /// Requests that are under way.
    pub under_way: u32,
    /// While it does nothing but sync: lanes that are to go on afterwards.
    pub held: Option<Vec<usize>>,
    source: Source,
    directions: Directions,
    /// Reads that have their data and were not taken back, in their order.
    kept: VecDeque<Finished>,
    issued_bytes: u64,
    /// Those of them that were written.
    written_bytes: u64,
    /// Those of the present pass, where reads and writes in a row have places of their own.
    pass_bytes: u64,
    /// The next request, while its rate does not allow it.
    chosen: Option<Operation>,
}

/// What tells a process what to do.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one for each process, and most have options"
)]
enum Source {
    /// The job's options. Reads and writes in a row each have a place of their own (`last_pos`, `file.h` of fio).
    Options(Offsets, Option<Offsets>),
    /// A log.
    Log(Replay),
}

impl Process {
    /// Of the job with this `number`, in a stage that begins at `stage_ns`.
    pub fn new(
        (number, job): (usize, &Job),
        files: Vec<OpenFile>,
        stage_ns: u64,
        seed: u64,
    ) -> Result<Self, SimulationError> {
        let start_ns = stage_ns + (job.delay_us * 1e3) as u64;
        let source = match &job.log {
            Some(log) => Source::Log(Replay::new(log.clone(), start_ns)),
            None => {
                let is_apart = job.mode == Mode::Both && job.pattern == Pattern::Sequential;
                let writes = is_apart.then(|| Offsets::new(job, seed));
                Source::Options(Offsets::new(job, seed)?, writes.transpose()?)
            }
        };
        Ok(Self {
            job: number,
            files,
            free_ns: start_ns,
            start_ns,
            under_way: 0,
            held: None,
            source,
            directions: Directions::new(seed),
            kept: VecDeque::new(),
            issued_bytes: 0,
            written_bytes: 0,
            pass_bytes: 0,
            chosen: None,
        })
    }

    /// The read that is taken back when `done` has its data: the one before it by as many as `job` keeps.
    pub fn take_back(&mut self, done: Finished, job: &Job) -> Option<Finished> {
        match job.kept() {
            1 => Some(done),
            most => {
                self.kept.push_back(done);
                (self.kept.len() >= most as usize).then(|| self.kept.pop_front())?
            }
        }
    }

    /// All reads that have their data.
    pub fn take_all_back(&mut self) -> impl Iterator<Item = Finished> {
        self.kept.drain(..)
    }

    /// What it does at `now_ns`.
    pub fn next(&mut self, job: &Job, now_ns: u64) -> Next {
        let runtime_ns = job.runtime_us.map(|us| ((us + job.ramp_us) * 1e3) as u64);
        let end_ns = runtime_ns.map_or(u64::MAX, |longest_ns| self.start_ns + longest_ns);
        if now_ns >= end_ns {
            return self.end(job);
        }
        let offsets = match &mut self.source {
            Source::Options(offsets, _) => offsets,
            Source::Log(replay) => {
                return match replay.next(now_ns, end_ns, job) {
                    Next::End => self.end(job),
                    next => next,
                };
            }
        };
        if !job.time_based && has_read_all(job, offsets, self.issued_bytes) {
            return self.end(job);
        }
        if self.chosen.is_none()
            && let Some((bytes, kind)) = self.directions.syncs(job)
        {
            return Next::Sync {
                file: 0,
                bytes,
                kind,
            };
        }
        match self.choose(job, now_ns) {
            Ok(operation) => self.access(job, operation),
            Err(due_ns) => Next::Wait(due_ns.min(end_ns)),
        }
    }

    /// Whether it reads or writes next; where no rate allows that yet, when one does (`rate_ddir`, `io_u.c`).
    fn choose(&mut self, job: &Job, now_ns: u64) -> Result<Operation, u64> {
        let chosen = self.chosen.take();
        let operation = chosen.unwrap_or_else(|| self.directions.draw(job));
        let Some(rate) = job.pace() else {
            return Ok(operation);
        };
        let due_ns = self.due_ns(operation, rate);
        if due_ns <= now_ns {
            return Ok(operation);
        }
        // The other direction comes first, where it is behind.
        let other = Directions::other(job, operation);
        let others = other.map(|other| (self.due_ns(other, rate), other));
        let first = others.map_or((due_ns, operation), |others| {
            if others.0 < due_ns {
                others
            } else {
                (due_ns, operation)
            }
        });
        match first {
            (first_ns, operation) if first_ns <= now_ns => Ok(operation),
            (first_ns, operation) => {
                self.chosen = Some(operation);
                Err(first_ns)
            }
        }
    }

    /// Reads or writes at the next place.
    fn access(&mut self, job: &Job, operation: Operation) -> Next {
        let Source::Options(offsets, writes) = &mut self.source else {
            return Next::End;
        };
        let is_apart = writes.is_some();
        if is_apart && !job.time_based && self.pass_bytes >= job.size_bytes {
            offsets.restart();
            writes.iter_mut().for_each(Offsets::restart);
            self.pass_bytes = 0;
        }
        let place = match (operation, writes) {
            (Operation::Write, Some(writes)) => writes.advance(),
            _ => offsets.advance(),
        };
        let begins = place.begins && (!is_apart || self.pass_bytes == 0);
        self.pass_bytes += place.bytes;
        self.issued_bytes += place.bytes;
        let offset = job.offset_bytes + place.offset;
        if operation == Operation::Write {
            self.written_bytes += place.bytes;
            self.directions.note_write(offset..offset + place.bytes);
        }
        Next::Access {
            file: 0,
            operation,
            offset,
            bytes: place.bytes,
            begins,
            drops: begins && job.invalidate,
        }
    }

    /// What is left to do when all is read and written. Files are synced when nothing is under way any more.
    fn end(&mut self, job: &Job) -> Next {
        if self.under_way > 0 {
            return Next::End;
        }
        match self.directions.syncs_at_end(job, self.files.len()) {
            Some(file) => Next::Sync {
                file,
                bytes: WHOLE_FILE,
                kind: SyncKind::All,
            },
            None => Next::End,
        }
    }

    /// When so many bytes a second allow the next read or write.
    fn due_ns(&self, operation: Operation, rate: u64) -> u64 {
        let bytes = match operation {
            Operation::Write => self.written_bytes,
            Operation::Read | Operation::Fsync => self.issued_bytes - self.written_bytes,
        };
        let due_ns = bytes as f64 / rate as f64 * 1e9;
        self.start_ns.saturating_add(due_ns as u64)
    }
}

/// Another pass towards `io_size` begins unless less than a read of the largest size is missing (`keep_running`,
/// `backend.c`).
fn has_read_all(job: &Job, offsets: &Offsets, issued_bytes: u64) -> bool {
    let left = job.total_bytes().saturating_sub(issued_bytes);
    let (passes, over) = offsets.passes();
    let was_last = match job.io_bytes {
        Some(_) => left < job.blocks.most(),
        None => passes >= job.loops,
    };
    left == 0 || over && was_last
}
