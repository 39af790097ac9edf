//! What readers side by side get.

use std::fs::File;

use serde::Serialize;

use crate::buffer::{Buffer, Walk};
use crate::order::scattered;
use crate::sampling::Sampling;
use crate::scratch::{Scratch, evict_surely};
use crate::side_by_side::{Deed, SideBySide};
use crate::{Figure, Probe, ProbeError};

/// Block that each reader reads at random places, bytes.
pub(crate) const BLOCK_BYTES: u64 = 64 << 10;
/// Blocks that each reads for one sample, cached: long enough to start threads, and short beside a second.
const CACHED_BLOCKS: usize = 512;
/// The same, uncached.
const UNCACHED_BLOCKS: usize = 32;

/// Readers of one large file at the same time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
        let together = |blocks: usize| SideBySide {
            path: &scratch.large,
            open: |path| File::open(path),
            deed: Deed::Read,
            memory: |block_bytes, _| Walk::of(Buffer::aligned(block_bytes)),
            block_bytes: BLOCK_BYTES,
            threads: readers,
            blocks,
        };
        let uncached = || {
            sampling.figure(|number| {
                evict_surely(&scratch.large)?;
                let first = number * readers * UNCACHED_BLOCKS;
                together(UNCACHED_BLOCKS).run(&places, first)
            })
        };
        let uncached = scratch.is_evictable.then(uncached).transpose()?;
        let cached = sampling.figure(|_| {
            scratch.load_anew(&scratch.large)?;
            together(CACHED_BLOCKS).run(&places, 0)
        })?;
        Ok(ParallelReads {
            readers,
            cached,
            uncached,
        })
    };
    probe.readers.iter().map(one).collect()
}
