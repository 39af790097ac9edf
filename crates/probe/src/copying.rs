//! What copying from the page cache takes, by the size of the block and by how many bytes are read again and again.
//!
//! Copying depends on the processor's caches, and on machines that several share, on what others do with them at the moment.
//! So it is sampled in rounds: a round has one sample of everything, and what drifts on the machine drifts for all of it.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use hotset_machine::OnFile;
use hotset_scenario::{CopyCost, PageKeeping};
use serde::Serialize;

use crate::buffer::Buffer;
use crate::order::scattered;
use crate::sampling::{Sampling, time_us};
use crate::scratch::{Scratch, evict_surely, load_open};
use crate::{Figure, Probe, ProbeError};

/// The most that is read for a sample, bytes: two of the largest blocks.
const SPAN_BYTES: u64 = 32 << 20;
/// The least, bytes: some hundred microseconds, beside which the clock takes no time.
const LEAST_BYTES: u64 = 4 << 20;
/// Of a working set, the most that is read right before a sample, bytes: as large as last caches of processors' parts are.
const WARM_BYTES: u64 = 64 << 20;
/// A block of what is read before.
const WARM_BLOCK_BYTES: u64 = 64 << 10;

/// Reading blocks of one size from the page cache, of so many bytes that are read again and again.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CopyReads {
    /// Bytes that are read again and again.
    pub working_set_bytes: u64,
    /// Size of the block.
    pub bytes: u64,
    /// One after the other.
    pub sequential: Figure,
    /// At random places.
    pub random: Figure,
}

/// A file in the page cache whose first bytes are the working sets, and what reading them took so far.
pub struct Copying {
    path: PathBuf,
    levels: Vec<Level>,
    rounds: u64,
    /// Holds the file, where nobody else does.
    _scratch: Option<Scratch>,
}

/// A working set with a size of blocks.
struct Level {
    working_set_bytes: u64,
    block_bytes: u64,
    sequential_us: Vec<f64>,
    random_us: Vec<f64>,
}

impl Copying {
    /// Writes a file for it into `directory`, which is removed in the end. Of `probe` it takes working sets and blocks.
    ///
    /// # Errors
    /// A directory that takes no files, or too few.
    pub fn prepare(
        probe: &Probe,
        directory: &Path,
        goes_on: &dyn Fn(f64) -> bool,
    ) -> Result<Self, ProbeError> {
        let sampling = Sampling::new(probe.patience, figures(probe), goes_on);
        let alone = Probe {
            files: Vec::new(),
            ..probe.clone()
        };
        let scratch = Scratch::write(&alone, directory, &sampling)?;
        // Read in, it lies in the folios that read-ahead gives.
        if scratch.is_evictable {
            evict_surely(&scratch.large)?;
        }
        let copying = Self::of(probe, &scratch);
        Ok(Self {
            _scratch: Some(scratch),
            ..copying
        })
    }

    pub(crate) fn of(probe: &Probe, scratch: &Scratch) -> Self {
        // What is not kept in memory is not copied from there.
        let sizes = sizes(probe).filter(|_| scratch.keeping != PageKeeping::Never);
        let levels = sizes.map(|(working_set_bytes, block_bytes)| Level {
            working_set_bytes,
            block_bytes,
            sequential_us: Vec::new(),
            random_us: Vec::new(),
        });
        Self {
            path: scratch.large.clone(),
            levels: levels.collect(),
            rounds: 0,
            _scratch: None,
        }
    }

    /// Takes one sample of everything.
    ///
    /// # Errors
    /// When the file cannot be read, or does not stay in memory.
    pub fn sample(&mut self) -> Result<(), ProbeError> {
        if self.levels.is_empty() {
            return Ok(());
        }
        let file = File::open(&self.path).on("open", &self.path)?;
        load_open(&file, &self.path)?;
        let reader = Reader {
            file: &file,
            path: &self.path,
            round: self.rounds,
        };
        for level in &mut self.levels {
            let mut buffer = Buffer::of_malloc(level.block_bytes);
            let set = level.working_set_bytes;
            level
                .sequential_us
                .push(reader.sequential(set, buffer.bytes())?);
            level.random_us.push(reader.random(set, buffer.bytes())?);
        }
        self.rounds += 1;
        Ok(())
    }

    /// What everything takes, by rising working sets and sizes of blocks; nothing without samples.
    #[must_use]
    pub fn reads(&self) -> Vec<CopyReads> {
        let reads = self.levels.iter().filter_map(|level| {
            Some(CopyReads {
                working_set_bytes: level.working_set_bytes,
                bytes: level.block_bytes,
                sequential: Figure::of(&level.sequential_us)?,
                random: Figure::of(&level.random_us)?,
            })
        });
        reads.collect()
    }

    /// The same as rows of a profile: medians.
    #[must_use]
    pub fn costs(&self) -> Vec<CopyCost> {
        costs(&self.reads())
    }
}

/// Figures as rows of a profile.
pub(crate) fn costs(reads: &[CopyReads]) -> Vec<CopyCost> {
    let row = |it: &CopyReads| CopyCost {
        working_set_bytes: Some(it.working_set_bytes),
        block_bytes: it.bytes,
        sequential_us: it.sequential.median_us,
        random_us: it.random.median_us,
    };
    reads.iter().map(row).collect()
}

/// Working sets and blocks that fit, rising.
fn sizes(probe: &Probe) -> impl Iterator<Item = (u64, u64)> {
    let sets = probe.working_sets.iter();
    let sets = sets.filter(|&&set| set <= probe.large_bytes);
    sets.flat_map(|&set| {
        let blocks = probe.blocks.iter().filter(move |&&block| block <= set);
        blocks.map(move |&block| (set, block))
    })
}

/// Figures that [`measure`] makes.
pub(crate) fn figures(probe: &Probe) -> usize {
    2 * sizes(probe).count()
}

/// Samples in rounds.
///
/// # Errors
/// As [`Copying::sample`].
pub(crate) fn measure(
    probe: &Probe,
    scratch: &Scratch,
    sampling: &Sampling,
) -> Result<Vec<CopyReads>, ProbeError> {
    let mut copying = Copying::of(probe, scratch);
    if copying.levels.is_empty() {
        sampling.pass_over(figures(probe));
        return Ok(Vec::new());
    }
    let sets = probe.working_sets.len() as u32;
    sampling.rounds(figures(probe), sets, || {
        copying.sample()?;
        let reads = copying.reads();
        let mut figures = reads.iter().flat_map(|it| [it.sequential, it.random]);
        Ok(figures.all(|figure| figure.is_tight()))
    })?;
    Ok(copying.reads())
}

/// Reads the file in one round.
struct Reader<'r> {
    file: &'r File,
    path: &'r Path,
    round: u64,
}

impl Reader<'_> {
    /// Microseconds for a block; spans of a working set that is larger come in turn.
    fn sequential(&self, set: u64, buffer: &mut [u8]) -> Result<f64, ProbeError> {
        let block = buffer.len() as u64;
        let span = SPAN_BYTES.min(set);
        let from = self.round * span % set / span * span;
        self.warm(set, from)?;
        let blocks = span / block;
        let passes = (LEAST_BYTES / span).max(1);
        let took = time_us(|| {
            (0..passes * blocks)
                .try_for_each(|number| self.read(buffer, from + number % blocks * block))
        });
        Ok(took? / (passes * blocks) as f64)
    }

    /// The same at random places.
    fn random(&self, set: u64, buffer: &mut [u8]) -> Result<f64, ProbeError> {
        let block = buffer.len() as u64;
        self.warm(set, 0)?;
        let blocks = set.clamp(LEAST_BYTES, SPAN_BYTES) / block;
        let first = self.round * blocks % (set / block);
        let places = scattered(set / block).cycle().skip(first as usize);
        let places = places.take(blocks as usize);
        let took = time_us(|| {
            places
                .into_iter()
                .try_for_each(|place| self.read(buffer, place * block))
        });
        Ok(took? / blocks as f64)
    }

    /// Reads what of the working set lies before `end`, and before its beginning what lies at its end: as a reader that goes round
    /// has.
    fn warm(&self, set: u64, end: u64) -> Result<(), ProbeError> {
        let mut buffer = Buffer::of_malloc(WARM_BLOCK_BYTES.min(set));
        let block = buffer.bytes().len() as u64;
        let bytes = WARM_BYTES.min(set);
        (0..bytes / block).try_for_each(|number| {
            let place = (end + set - bytes + number * block) % set;
            self.read(buffer.bytes(), place)
        })
    }

    fn read(&self, buffer: &mut [u8], place: u64) -> Result<(), ProbeError> {
        let read = self.file.read_exact_at(buffer, place);
        Ok(read.on("read", self.path)?)
    }
}
