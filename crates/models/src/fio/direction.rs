//! Which requests of a job read and which write, and when its file is synced (`get_rw_ddir`, `io_u.c` of fio 3.33).

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::operation::Operation;
use super::{Job, Mode};

/// Draws of directions are apart from those of places, as in fio (`FIO_RAND_MIX_OFF`).
const STREAM: u64 = 0x6d69_7864;

/// Draws what each request of a process does, and counts its writes.
pub(super) struct Directions {
    random: Pcg64Mcg,
    /// Writes since the file was synced.
    unsynced: u32,
    /// Whether the file was synced at the end.
    has_ended: bool,
}

impl Directions {
    /// Of a process with a `seed` of its own.
    pub fn new(seed: u64) -> Self {
        Self {
            random: Pcg64Mcg::seed_from_u64(seed ^ STREAM),
            unsynced: 0,
            has_ended: false,
        }
    }

    /// Whether the next request reads or writes: of a job that does both, each is drawn (`get_rand_ddir`).
    #[inline]
    pub fn draw(&mut self, job: &Job) -> Operation {
        match job.mode {
            Mode::Reads => Operation::Read,
            Mode::Writes => self.write(),
            Mode::Both if self.random.random_range(0..100) < job.read_percent => Operation::Read,
            Mode::Both => self.write(),
        }
    }

    fn write(&mut self) -> Operation {
        self.unsynced += 1;
        Operation::Write
    }

    /// Whether the file is synced before the next request.
    #[inline]
    pub fn syncs(&mut self, job: &Job) -> bool {
        let due = job.sync_every.is_some_and(|every| self.unsynced >= every);
        if due {
            self.unsynced = 0;
        }
        due
    }

    /// Whether the file is synced after the last request (`do_io`, `backend.c`); only once.
    pub fn syncs_at_end(&mut self, job: &Job) -> bool {
        let is_asked = job.mode.writes() && (job.syncs_at_end || job.syncs_on_close);
        is_asked && !std::mem::replace(&mut self.has_ended, true)
    }
}
