//! What reading a block of a large file takes, by the block's size: one after the other, and at random places.
//!
//! In sequence from the page cache it is what copying from the kernel costs, with the steps of the processor's caches.

use std::fs::File;
use std::os::unix::fs::FileExt as _;

use hotset_machine::OnFile;
use serde::Serialize;

use crate::buffer::Buffer;
use crate::order::scattered;
use crate::sampling::{Sampling, time_us};
use crate::scratch::{Scratch, evict_surely};
use crate::{Figure, Probe, ProbeError};

/// Read in sequence for one sample, bytes: two of the largest blocks.
pub(crate) const SPAN_BYTES: u64 = 32 << 20;
/// Read at random places in the page cache for one sample, blocks.
pub(crate) const BATCH: u64 = 256;

/// Reading blocks of one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct BlockReads {
    /// Their size.
    pub bytes: u64,
    /// One after the other, in the page cache.
    pub sequential_cached: Figure,
    /// At random places, in the page cache.
    pub random_cached: Figure,
    /// One after the other, none in the page cache but what the kernel reads ahead; nothing where files cannot be evicted.
    pub sequential_uncached: Option<Figure>,
    /// At random places, none in the page cache; likewise.
    pub random_uncached: Option<Figure>,
}

/// Measures each size.
///
/// # Errors
/// When the file cannot be read or evicted.
pub(crate) fn measure(
    probe: &Probe,
    scratch: &Scratch,
    sampling: &Sampling,
) -> Result<Vec<BlockReads>, ProbeError> {
    let large = &Large {
        bytes: probe.large_bytes,
        scratch,
        sampling,
    };
    // All uncached reads first, since the others bring the file into memory.
    let evicted = |random: bool| {
        let sizes = probe.blocks.iter();
        let one = |&bytes: &u64| match scratch.is_evictable {
            false => Ok(None),
            true if random => large.random_uncached(bytes).map(Some),
            true => large.sequential_uncached(bytes).map(Some),
        };
        sizes.map(one).collect::<Result<Vec<_>, ProbeError>>()
    };
    let uncached = evicted(false)?.into_iter().zip(evicted(true)?);
    let sizes = probe.blocks.iter().zip(uncached);
    let one = |(&bytes, (sequential, random)): (&u64, _)| {
        Ok(BlockReads {
            bytes,
            sequential_cached: large.sequential_cached(bytes)?,
            random_cached: large.random_cached(bytes)?,
            sequential_uncached: sequential,
            random_uncached: random,
        })
    };
    sizes.map(one).collect()
}

/// The large file.
struct Large<'l> {
    bytes: u64,
    scratch: &'l Scratch,
    sampling: &'l Sampling<'l>,
}

impl Large<'_> {
    /// One span after the other: the same again would come from the processor's last cache, which holds a span.
    fn sequential_cached(&self, block: u64) -> Result<Figure, ProbeError> {
        let file = self.open()?;
        let mut buffer = Buffer::of_malloc(block);
        let spans = self.bytes / self.span_bytes();
        self.sampling.figure(|number| {
            self.scratch.load(&file, &self.scratch.large)?;
            self.span(&file, buffer.bytes(), number as u64 % spans)
        })
    }

    fn sequential_uncached(&self, block: u64) -> Result<Figure, ProbeError> {
        let mut buffer = Buffer::of_malloc(block);
        let spans = self.bytes / self.span_bytes();
        self.sampling.figure(|number| {
            evict_surely(&self.scratch.large)?;
            // Anew each time, since the kernel remembers of an open file how it was read.
            let file = self.open()?;
            self.span(&file, buffer.bytes(), number as u64 % spans)
        })
    }

    fn random_cached(&self, block: u64) -> Result<Figure, ProbeError> {
        let file = self.open()?;
        let mut buffer = Buffer::of_malloc(block);
        let places = scattered(self.bytes / block).cycle();
        let mut places = places.map(|place| place * block);
        self.sampling.figure(|_| {
            self.scratch.load(&file, &self.scratch.large)?;
            let batch = BATCH.min(self.bytes / block);
            let took = time_us(|| {
                (0..batch).try_for_each(|_| {
                    let place = places.next().unwrap_or(0);
                    self.read(&file, buffer.bytes(), place)
                })
            });
            Ok(took? / batch as f64)
        })
    }

    fn random_uncached(&self, block: u64) -> Result<Figure, ProbeError> {
        let file = self.open()?;
        let mut buffer = Buffer::of_malloc(block);
        let mut places = scattered(self.bytes / block).cycle();
        self.sampling.figure(|_| {
            evict_surely(&self.scratch.large)?;
            let place = places.next().unwrap_or(0) * block;
            time_us(|| self.read(&file, buffer.bytes(), place))
        })
    }

    /// Reads a span block by block; what a block took.
    fn span(&self, file: &File, buffer: &mut [u8], span: u64) -> Result<f64, ProbeError> {
        let block = buffer.len() as u64;
        let blocks = (self.span_bytes() / block).max(1);
        let from = span * self.span_bytes();
        let took = time_us(|| {
            (0..blocks).try_for_each(|number| self.read(file, buffer, from + number * block))
        });
        Ok(took? / blocks as f64)
    }

    fn span_bytes(&self) -> u64 {
        SPAN_BYTES.min(self.bytes)
    }

    fn open(&self) -> Result<File, ProbeError> {
        Ok(File::open(&self.scratch.large).on("open", &self.scratch.large)?)
    }

    fn read(&self, file: &File, buffer: &mut [u8], place: u64) -> Result<(), ProbeError> {
        let read = file.read_exact_at(buffer, place);
        Ok(read.on("read", &self.scratch.large)?)
    }
}
