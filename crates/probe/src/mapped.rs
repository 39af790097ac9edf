//! What a mapped file (`mmap`) costs that is in the page cache: faults, and copying what is mapped already.

use std::fs::File;

use hotset_machine::{FileMapping, OnFile};
use hotset_scenario::PageKeeping;
use serde::Serialize;

use crate::blocks::{BATCH, SPAN_BYTES};
use crate::buffer::Buffer;
use crate::order::scattered;
use crate::sampling::{Sampling, time_us};
use crate::scratch::{Scratch, load_surely};
use crate::{Figure, Probe, ProbeError};

/// Bytes that a fault maps where they are in memory (`fault_around_pages`, `mm/memory.c`).
const FAULT_AROUND_BYTES: u64 = 64 << 10;

/// Reading a large file that is mapped and in the page cache.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MappedReads {
    /// Mapping 64 KiB by a fault. Where the file lies in larger pieces of memory, one fault maps several of them
    /// (`filemap_map_pages`, `mm/filemap.c`, since Linux 6.18): this is what each takes.
    pub fault: Figure,
    /// Copying blocks that are mapped already, by their size.
    pub blocks: Vec<MappedBlocks>,
}

/// Copying mapped blocks of one size.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MappedBlocks {
    /// Their size.
    pub bytes: u64,
    /// One after the other.
    pub sequential: Figure,
    /// At random places.
    pub random: Figure,
}

/// Figures that [`measure`] makes.
pub(crate) fn figures(probe: &Probe) -> usize {
    1 + 2 * probe.blocks.len()
}

/// Measures faults, then each size of block; nothing where a file that is mapped is not in memory any more, since it was opened for it.
///
/// # Errors
/// When the file cannot be mapped.
pub(crate) fn measure(
    probe: &Probe,
    scratch: &Scratch,
    sampling: &Sampling,
) -> Result<Option<MappedReads>, ProbeError> {
    if scratch.keeping != PageKeeping::Kept {
        sampling.pass_over(figures(probe));
        return Ok(None);
    }
    let large = &Large { scratch, sampling };
    let fault = large.fault()?;
    let mapping = large.map()?;
    large.touch(&mapping)?;
    let block = |&bytes: &u64| {
        Ok(MappedBlocks {
            bytes,
            sequential: large.sequential(&mapping, bytes)?,
            random: large.random(&mapping, bytes)?,
        })
    };
    let blocks = probe.blocks.iter().map(block);
    Ok(Some(MappedReads {
        fault,
        blocks: blocks.collect::<Result<_, ProbeError>>()?,
    }))
}

/// The large file.
struct Large<'l> {
    scratch: &'l Scratch,
    sampling: &'l Sampling<'l>,
}

impl Large<'_> {
    /// Mapped anew each time, so that nothing is in the page table.
    fn fault(&self) -> Result<Figure, ProbeError> {
        self.sampling.figure(|_| {
            load_surely(&self.scratch.large)?;
            let mapping = self.map()?;
            let pieces = mapping.length().div_ceil(FAULT_AROUND_BYTES);
            Ok(time_us(|| self.touch(&mapping))? / pieces as f64)
        })
    }

    fn sequential(&self, mapping: &FileMapping, block: u64) -> Result<Figure, ProbeError> {
        let mut buffer = Buffer::of_malloc(block);
        let span_bytes = SPAN_BYTES.min(mapping.length());
        let (spans, blocks) = (mapping.length() / span_bytes, (span_bytes / block).max(1));
        self.sampling.figure(|number| {
            self.bring(mapping)?;
            let from = number as u64 % spans * span_bytes;
            let places = (0..blocks).map(|number| from + number * block);
            Ok(time_us(|| self.copy(mapping, buffer.bytes(), places))? / blocks as f64)
        })
    }

    fn random(&self, mapping: &FileMapping, block: u64) -> Result<Figure, ProbeError> {
        let mut buffer = Buffer::of_malloc(block);
        let mut places = scattered(mapping.length() / block).cycle();
        let batch = BATCH.min(mapping.length() / block);
        self.sampling.figure(|_| {
            self.bring(mapping)?;
            let places = (0..batch).filter_map(|_| Some(places.next()? * block));
            Ok(time_us(|| self.copy(mapping, buffer.bytes(), places))? / batch as f64)
        })
    }

    /// Reads the file into memory and maps it again, should pages have left.
    fn bring(&self, mapping: &FileMapping) -> Result<(), ProbeError> {
        load_surely(&self.scratch.large)?;
        self.touch(mapping)
    }

    fn map(&self) -> Result<FileMapping, ProbeError> {
        let path = &self.scratch.large;
        let file = File::open(path).on("open", path)?;
        Ok(FileMapping::of(&file).on("map", path)?)
    }

    /// Has a byte of each 64 KiB read.
    fn touch(&self, mapping: &FileMapping) -> Result<(), ProbeError> {
        let places = (0..mapping.length()).step_by(FAULT_AROUND_BYTES as usize);
        self.copy(mapping, &mut [0], places)
    }

    fn copy(
        &self,
        mapping: &FileMapping,
        buffer: &mut [u8],
        mut places: impl Iterator<Item = u64>,
    ) -> Result<(), ProbeError> {
        let copied = places.try_for_each(|place| mapping.copy(place, buffer));
        Ok(copied.on("read", &self.scratch.large)?)
    }
}
