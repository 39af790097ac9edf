//! Where a process reads next.

use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::{Job, Pattern, SimulationError};

/// Most blocks that are followed at random: their order takes 4 bytes each.
const MOST_BLOCKS: u64 = 1 << 28;

/// Numbers of blocks, pass after pass.
pub(super) struct Offsets {
    pattern: Pattern,
    blocks: u64,
    next: u64,
    /// The order of a pass at random; fio draws a block that is still to come (`get_next_free_block`, `io_u.c`), which
    /// is an order drawn at random too.
    order: Vec<u32>,
    random: Pcg64Mcg,
}

impl Offsets {
    /// Of a process of `job`.
    pub fn new(job: &Job, seed: u64) -> Result<Self, SimulationError> {
        let blocks = job.size_bytes / job.block_bytes;
        let is_random = job.pattern == Pattern::Random;
        if is_random && blocks > MOST_BLOCKS {
            return Err(SimulationError::TooManyBlocks {
                job: job.name.clone(),
                blocks,
                most: MOST_BLOCKS,
            });
        }
        Ok(Self {
            pattern: job.pattern,
            blocks,
            next: 0,
            order: if is_random {
                (0..blocks as u32).collect()
            } else {
                Vec::new()
            },
            random: Pcg64Mcg::seed_from_u64(seed),
        })
    }

    /// Whether the next block is the first of a pass.
    pub fn begins(&self) -> bool {
        self.next == 0
    }

    /// The next block.
    pub fn next(&mut self) -> u64 {
        if self.next == 0 {
            self.order.shuffle(&mut self.random);
        }
        let number = self.next;
        self.next = (number + 1) % self.blocks;
        match self.pattern {
            Pattern::Sequential => number,
            Pattern::Random => u64::from(self.order[number as usize]),
            Pattern::RandomAnew => self.random.random_range(0..self.blocks),
        }
    }
}
