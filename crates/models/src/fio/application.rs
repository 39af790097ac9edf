//! A process of a job: its loop of reads.

use super::offsets::Offsets;
use super::{Job, SimulationError};
use crate::read_path::ReadAhead;

/// What fio's own loop takes between two reads, nanoseconds: fio 3.33 with its null engine made 8.2 million random reads a
/// second on a processor of the machine that hotset is developed on.
pub(super) const LOOP_NS: u64 = 122;

/// A process.
pub(super) struct Process {
    /// Its job's number among those that run.
    pub job: usize,
    /// Its file's number.
    pub file: u32,
    pub ahead: ReadAhead,
    /// When its own processor time is free: its reads are handed over one after the other.
    pub free_ns: u64,
    offsets: Offsets,
    start_ns: u64,
    issued_bytes: u64,
}

/// What a process does next.
pub(super) enum Next {
    /// Reads from this byte of its file; first of all drops the file from memory, where so told.
    Read { offset: u64, drops: bool },
    /// Nothing before this time.
    Wait(u64),
    /// Nothing.
    End,
}

impl Process {
    pub fn new(
        (number, job): (usize, &Job),
        file: u32,
        ahead: ReadAhead,
        start_ns: u64,
        seed: u64,
    ) -> Result<Self, SimulationError> {
        Ok(Self {
            job: number,
            file,
            ahead,
            free_ns: start_ns,
            offsets: Offsets::new(job, seed)?,
            start_ns,
            issued_bytes: 0,
        })
    }

    /// What it does at `now_ns`.
    pub fn next(&mut self, job: &Job, now_ns: u64) -> Next {
        if self.is_over(job, now_ns) {
            return Next::End;
        }
        if let Some(due_ns) = self.due_ns(job).filter(|&due_ns| due_ns > now_ns) {
            return Next::Wait(due_ns);
        }
        let drops = self.offsets.begins() && job.invalidate && !job.direct;
        let offset = job.offset_bytes + self.offsets.next() * job.block_bytes;
        self.issued_bytes += job.block_bytes;
        Next::Read { offset, drops }
    }

    fn is_over(&self, job: &Job, now_ns: u64) -> bool {
        let runtime_ns = job.runtime_us.map(|us| ((us + job.ramp_us) * 1e3) as u64);
        let late = runtime_ns.is_some_and(|longest_ns| now_ns - self.start_ns >= longest_ns);
        late || !job.time_based && self.issued_bytes + job.block_bytes > job.total_bytes()
    }

    /// When its rate allows the next read.
    fn due_ns(&self, job: &Job) -> Option<u64> {
        let rate = job.bytes_per_s?;
        Some(self.start_ns + (self.issued_bytes as f64 / rate as f64 * 1e9) as u64)
    }
}
