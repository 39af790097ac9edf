//! Where a process reads next, and how much.

use rand::{RngExt as _, SeedableRng as _};
use rand_pcg::Pcg64Mcg;

use super::block_map::BlockMap;
use super::distribution::Draw;
use super::{Blocks, Job, Pattern, SimulationError};

/// Most blocks that the processes of a job follow at random: each takes a bit.
const MOST_BLOCKS: u64 = 1 << 33;

/// A read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Bytes from where the job begins in the file.
    pub offset: u64,
    /// Bytes that are read.
    pub bytes: u64,
    /// It is the first of a pass.
    pub begins: bool,
}

/// Reads of a process, pass after pass, without end. A pass ends where fio finds no place for a further read; blocks that may be
/// drawn again never end it.
pub struct Offsets {
    pattern: Pattern,
    sizes: Blocks,
    least: u64,
    size_bytes: u64,
    time_based: bool,
    draw: Box<dyn Draw>,
    /// Of a hundred reads at random, those that are (`percentage_random`).
    random_percent: u32,
    /// What a pass at random has read. fio draws a block, and takes the next free one where it was read already
    /// (`__get_next_rand_offset`, `io_u.c`).
    map: BlockMap,
    random: Pcg64Mcg,
    /// With what each pass begins, where passes repeat (`clear_io_state`, `libfio.c`).
    first: Option<Pcg64Mcg>,
    /// How many reads at random lie in a row, and how many of the present row are left with the next one.
    in_row: u32,
    left_in_row: u32,
    /// Bytes that are passed over between two reads in a row.
    hole_bytes: u64,
    /// Bytes that the present pass has read.
    pass_bytes: u64,
    /// Passes begun.
    passes: u32,
    /// Where the last read ended.
    end: u64,
}

impl Offsets {
    /// Of a process of `job` with a `seed` of its own.
    ///
    /// # Errors
    /// More blocks than can be followed.
    pub fn new(job: &Job, seed: u64) -> Result<Self, SimulationError> {
        let least = job.blocks.least();
        let blocks = job.size_bytes / least;
        let mapped = match job.pattern {
            Pattern::Random => blocks,
            Pattern::Sequential | Pattern::RandomAnew => 0,
        };
        check(job, mapped)?;
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        Ok(Self {
            pattern: job.pattern,
            sizes: job.blocks.clone(),
            least,
            size_bytes: job.size_bytes,
            time_based: job.time_based,
            draw: job.distribution.over(blocks, least, &mut random),
            random_percent: job.random_percent,
            map: BlockMap::new(mapped),
            first: (job.repeats && !job.time_based).then(|| random.clone()),
            random,
            in_row: job.in_row,
            // fio begins with one at random.
            left_in_row: 1,
            hole_bytes: job.hole_bytes,
            pass_bytes: 0,
            passes: 0,
            end: 0,
        })
    }

    /// Passes that were begun, and whether the last one is over.
    #[must_use]
    pub fn passes(&self) -> (u32, bool) {
        let over = match self.pattern {
            // With holes the end is reached before all bytes are read: it goes on at the start (`get_next_seq_offset`, `io_u.c`).
            Pattern::Sequential if self.hole_bytes > 0 => {
                self.size_bytes.saturating_sub(self.pass_bytes) < self.least
            }
            Pattern::Sequential => self.size_bytes - self.end < self.least,
            Pattern::Random => self.map.free() == 0,
            Pattern::RandomAnew => false,
        };
        (self.passes, over)
    }

    /// The next read.
    pub fn advance(&mut self) -> Place {
        let (passes, over) = self.passes();
        let mut begins = passes == 0 || over;
        if begins {
            self.begin();
        }
        let (offset, drawn_at_random) = match self.goes_on() {
            true => (self.behind_hole(), false),
            false => (self.at_random(), true),
        };
        // Only a job that lasts as long as told comes round within a pass, and is told so.
        begins |= !drawn_at_random && offset == 0 && self.hole_bytes == 0;
        let room = self.size_bytes - offset;
        let mut bytes = self.sizes.draw(room, &mut self.random);
        if drawn_at_random && self.pattern == Pattern::Random {
            bytes = self.least * self.map.take(offset / self.least, bytes / self.least);
        }
        self.end = offset + bytes;
        self.pass_bytes += bytes;
        Place {
            offset,
            bytes,
            begins,
        }
    }

    /// The next read begins a pass.
    pub(super) fn restart(&mut self) {
        (self.end, self.pass_bytes) = (self.size_bytes, self.size_bytes);
    }

    fn begin(&mut self) {
        self.passes = self.passes.saturating_add(1);
        (self.end, self.pass_bytes) = (0, 0);
        self.map.clear();
        if let Some(first) = &self.first {
            self.random = first.clone();
        }
    }

    /// Whether the next read begins where the last one ended.
    fn goes_on(&mut self) -> bool {
        if self.pattern == Pattern::Sequential {
            return true;
        }
        self.left_in_row -= 1;
        if self.left_in_row == 0 {
            self.left_in_row = self.in_row;
            let percent = self.random_percent;
            if percent == 100 || self.random.random_range(0..100) < percent {
                return false;
            }
        }
        let at_end = self.size_bytes - self.end < self.least;
        if at_end && self.time_based {
            self.end = 0;
        }
        !at_end || self.time_based
    }

    /// Where the next read of a row is.
    fn behind_hole(&self) -> u64 {
        let behind = match self.end {
            0 => 0,
            end => end + self.hole_bytes,
        };
        match self.hole_bytes > 0 && behind + self.least > self.size_bytes {
            true => 0,
            false => behind,
        }
    }

    fn at_random(&mut self) -> u64 {
        let drawn = self.draw.block(&mut self.random);
        let block = match self.pattern {
            Pattern::Random => self.map.free_from(drawn).unwrap_or(drawn),
            Pattern::Sequential | Pattern::RandomAnew => drawn,
        };
        block * self.least
    }
}

/// Refuses more blocks than all processes of the job can follow.
fn check(job: &Job, blocks: u64) -> Result<(), SimulationError> {
    match blocks.saturating_mul(u64::from(job.threads)) {
        ..=MOST_BLOCKS => Ok(()),
        blocks => Err(SimulationError::TooManyBlocks {
            job: job.name.clone(),
            blocks,
            most: MOST_BLOCKS,
        }),
    }
}
