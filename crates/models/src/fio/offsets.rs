//! Where a process reads next, and how much.

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::block_map::BlockMap;
use super::{Blocks, Job, Pattern, SimulationError};

/// Most blocks that the processes of a job follow at random: each takes a bit.
const MOST_BLOCKS: u64 = 1 << 33;

/// A read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// Bytes from where the job begins in the file.
    pub offset: u64,
    pub bytes: u64,
    /// It is the first of a pass.
    pub begins: bool,
}

/// Reads, pass after pass.
pub(super) struct Offsets {
    pattern: Pattern,
    sizes: Blocks,
    least: u64,
    size_bytes: u64,
    /// A pass at random places goes on as long as the job.
    endless: bool,
    /// What a pass at random has read. fio draws a block, and takes the next free one where it was read already
    /// (`__get_next_rand_offset`, `io_u.c`).
    map: BlockMap,
    random: Pcg64Mcg,
    /// Passes begun.
    passes: u32,
    /// Bytes of this pass, and where its last read ended.
    pass_bytes: u64,
    end: u64,
}

impl Offsets {
    /// Of a process of `job`.
    pub fn new(job: &Job, seed: u64) -> Result<Self, SimulationError> {
        let least = job.blocks.least();
        let blocks = match job.pattern {
            Pattern::Random => job.size_bytes / least,
            Pattern::Sequential | Pattern::RandomAnew => 0,
        };
        let followed = blocks.saturating_mul(u64::from(job.threads));
        if followed > MOST_BLOCKS {
            return Err(SimulationError::TooManyBlocks {
                job: job.name.clone(),
                blocks: followed,
                most: MOST_BLOCKS,
            });
        }
        Ok(Self {
            pattern: job.pattern,
            sizes: job.blocks.clone(),
            least,
            size_bytes: job.size_bytes,
            endless: job.time_based && job.pattern != Pattern::Sequential,
            map: BlockMap::new(blocks),
            random: Pcg64Mcg::seed_from_u64(seed),
            passes: 0,
            pass_bytes: 0,
            end: 0,
        })
    }

    /// Passes that were begun, and whether the last one is over.
    pub fn passes(&self) -> (u32, bool) {
        let full = match self.pattern {
            Pattern::Sequential => self.size_bytes - self.end < self.least,
            Pattern::Random => self.map.free() == 0,
            Pattern::RandomAnew => false,
        };
        let over = full || !self.endless && self.pass_bytes >= self.size_bytes;
        (self.passes, over)
    }

    /// The next read.
    pub fn next(&mut self) -> Place {
        let (passes, over) = self.passes();
        let begins = passes == 0 || over;
        if begins {
            self.begin();
        }
        let offset = self.offset();
        let drawn = self.sizes.draw(self.size_bytes - offset, &mut self.random);
        let bytes = match self.pattern {
            Pattern::Random => self.least * self.map.take(offset / self.least, drawn / self.least),
            Pattern::Sequential | Pattern::RandomAnew => drawn,
        };
        self.end = offset + bytes;
        self.pass_bytes += bytes;
        Place {
            offset,
            bytes,
            begins,
        }
    }

    fn begin(&mut self) {
        self.passes = self.passes.saturating_add(1);
        (self.pass_bytes, self.end) = (0, 0);
        self.map.clear();
    }

    fn offset(&mut self) -> u64 {
        let block = match self.pattern {
            Pattern::Sequential => return self.end,
            Pattern::Random => {
                let drawn = self.block();
                self.map.free_from(drawn).unwrap_or(drawn)
            }
            Pattern::RandomAnew => self.block(),
        };
        block * self.least
    }

    fn block(&mut self) -> u64 {
        self.random.random_range(0..self.size_bytes / self.least)
    }
}
