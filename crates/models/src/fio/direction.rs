//! Which requests of a job read and which write, and when its file is synced (`get_rw_ddir`, `io_u.c` of fio 3.33).

use std::ops::Range;

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::operation::Operation;
use super::{Job, Mode};
use crate::storage::{SyncKind, WHOLE_FILE};

/// Draws of directions are apart from those of places, as in fio (`FIO_RAND_MIX_OFF`).
const STREAM: u64 = 0x6d69_7864;

/// Draws what each request of a process does, and counts its writes.
pub(super) struct Directions {
    random: Pcg64Mcg,
    /// Writes so far (`io_issues`).
    writes: u64,
    /// From the first to the last byte that was written since the last sync (`first_write`, `last_write`).
    unsynced: Option<Range<u64>>,
    /// Whether the last request was a sync: none follows another (`last_was_sync`).
    has_synced: bool,
    /// Files that were synced at the end.
    ended: usize,
}

impl Directions {
    /// Of a process with a `seed` of its own.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Pcg64Mcg::seed_from_u64(seed ^ STREAM),
            writes: 0,
            unsynced: None,
            has_synced: false,
            ended: 0,
        }
    }

    /// Whether the next request reads or writes: of a job that does both, each is drawn (`get_rand_ddir`).
    #[inline]
    pub fn draw(&mut self, job: &Job) -> Operation {
        self.has_synced = false;
        match job.mode {
            Mode::Reads => Operation::Read,
            Mode::Writes => Operation::Write,
            Mode::Both if self.random.random_range(0..100) < job.read_percent => Operation::Read,
            Mode::Both => Operation::Write,
        }
    }

    /// What a job that does both may do in the place of `operation` (`rate_ddir`, `io_u.c`).
    #[must_use]
    pub fn other(job: &Job, operation: Operation) -> Option<Operation> {
        let (other, percent) = match operation {
            Operation::Read => (Operation::Write, 100 - job.read_percent),
            Operation::Write | Operation::Fsync => (Operation::Read, job.read_percent),
        };
        (job.mode == Mode::Both && percent > 0).then_some(other)
    }

    /// These bytes of the file are written.
    #[inline]
    pub fn note_write(&mut self, bytes: Range<u64>) {
        self.writes += 1;
        self.unsynced = Some(match self.unsynced.take() {
            Some(before) => before.start.min(bytes.start)..before.end.max(bytes.end),
            None => bytes,
        });
    }

    /// What is synced before the next request: bytes of the file, and how. A file is synced once more after each read until the next write,
    /// as the number of writes is still one at which it is.
    #[inline]
    pub fn syncs(&mut self, job: &Job) -> Option<(Range<u64>, SyncKind)> {
        if self.has_synced || self.writes == 0 {
            return None;
        }
        let writes = self.writes;
        let is_due =
            |every: Option<u32>| every.is_some_and(|every| writes.is_multiple_of(every.into()));
        let range_sync = job.range_sync.filter(|it| is_due(Some(it.every)));
        let due = match range_sync {
            _ if is_due(job.sync_every) => (WHOLE_FILE, SyncKind::All),
            _ if is_due(job.data_sync_every) => (WHOLE_FILE, SyncKind::Data),
            Some(sync) => {
                let written = self.unsynced.clone();
                (written.unwrap_or(0..0), SyncKind::Pages(sync.pages))
            }
            None => return None,
        };
        self.has_synced = true;
        self.unsynced = None;
        Some(due)
    }

    /// The file that is synced after the last request, of so many (`do_io`, `backend.c`); each once.
    pub fn syncs_at_end(&mut self, job: &Job, files: usize) -> Option<usize> {
        let is_asked = job.mode.writes() && (job.syncs_at_end || job.syncs_on_close);
        if !is_asked || self.has_synced || self.ended == files {
            return None;
        }
        self.ended += 1;
        Some(self.ended - 1)
    }
}
