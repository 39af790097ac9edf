//! What readers side by side get.

use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use hotset_machine::OnFile;
use serde::Serialize;

use crate::blocks::scattered;
use crate::sampling::Sampling;
use crate::scratch::{Scratch, buffer, evict_surely, load_surely};
use crate::{Figure, Probe, ProbeError};

/// Block that each reader reads at random places, bytes.
pub(crate) const BLOCK_BYTES: u64 = 64 << 10;
/// Blocks that each reads for one sample, cached: long enough to start threads, and short beside a second.
const CACHED_BLOCKS: usize = 512;
/// The same, uncached.
const UNCACHED_BLOCKS: usize = 32;

/// Readers of one large file at the same time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParallelReads {
    /// How many.
    pub readers: usize,
    /// What a block of 64 KiB takes all of them together, in the page cache: a second reader halves it where nothing stands
    /// in its way.
    pub cached: Figure,
    /// The same for blocks that are not; nothing where files cannot be evicted.
    pub uncached: Option<Figure>,
}

impl ParallelReads {
    /// Bytes a second that a figure of [`ParallelReads`] comes to.
    #[must_use]
    pub fn bytes_per_s(figure: &Figure) -> f64 {
        BLOCK_BYTES as f64 / figure.median_us * 1e6
    }
}

/// Measures each number of readers.
///
/// # Errors
/// When the file cannot be read or evicted.
pub(crate) fn measure(
    probe: &Probe,
    scratch: &Scratch,
    sampling: &Sampling,
) -> Result<Vec<ParallelReads>, ProbeError> {
    let places: Vec<u64> = scattered((probe.large_bytes / BLOCK_BYTES).max(1)).collect();
    let one = |&readers: &usize| {
        let uncached = || {
            sampling.figure(|number| {
                evict_surely(&scratch.large)?;
                let first = number * readers * UNCACHED_BLOCKS;
                together(scratch, readers, UNCACHED_BLOCKS, &places, first)
            })
        };
        let uncached = scratch.is_evictable.then(uncached).transpose()?;
        let cached = sampling.figure(|_| {
            load_surely(&scratch.large)?;
            together(scratch, readers, CACHED_BLOCKS, &places, 0)
        })?;
        Ok(ParallelReads {
            readers,
            cached,
            uncached,
        })
    };
    probe.readers.iter().map(one).collect()
}

/// Has each reader read as many blocks, from `places` on from `first`; microseconds over all blocks.
fn together(
    scratch: &Scratch,
    readers: usize,
    blocks: usize,
    places: &[u64],
    first: usize,
) -> Result<f64, ProbeError> {
    let ready = Barrier::new(readers + 1);
    let path = &scratch.large;
    let read = |reader: usize| -> Result<(), ProbeError> {
        let opened = File::open(path).on("open", path);
        let mut buffer = buffer(BLOCK_BYTES);
        ready.wait();
        let file = opened?;
        (0..blocks).try_for_each(|number| {
            let place = places[(first + reader * blocks + number) % places.len()];
            let read = file.read_exact_at(&mut buffer, place * BLOCK_BYTES);
            Ok(read.on("read", path)?)
        })
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..readers)
            .map(|reader| scope.spawn(move || read(reader)))
            .collect();
        ready.wait();
        let started = Instant::now();
        for thread in threads {
            // A reader does not panic; if one did, so would the caller.
            thread
                .join()
                .unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        }
        let us = started.elapsed().as_nanos() as f64 / 1000.0;
        Ok(us / (readers * blocks) as f64)
    })
}
