//! What the device takes to write, past the page cache (`O_DIRECT`): requests alone, at random places and in sequence, and several in flight.
//! They go over a file of their own of which every block has data, so that the file system has nothing to allocate.

use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use hotset_machine::OnFile;
use rustix::io::pwritev;
use serde::Serialize;

use crate::buffer::{Buffer, PAGE_BYTES, Pages, WALKED_BYTES, Walk};
use crate::direct::{InFlight, Limits, SMALL_BYTES, is_direct, quantiles};
use crate::file_set::content;
use crate::order::scattered;
use crate::sampling::{Sampling, time_us};
use crate::scratch::Scratch;
use crate::side_by_side::{Deed, SideBySide};
use crate::writing::{open_past_cache, written};
use crate::{Figure, Probe, ProbeError};

/// Length of the file that is written over, bytes, where the one that is read is no shorter.
const FILE_BYTES: u64 = 64 << 20;
/// Blocks that each writer writes for one sample: small ones, and large ones.
const BLOCKS: [usize; 2] = [64, 4];
/// Single requests of each size in a round.
const ALONE: usize = 16;
/// What is written repeats itself after so many bytes.
const CONTENT_BYTES: u64 = 64 << 10;

/// Requests that write blocks, past the page cache.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DirectWrites {
    /// One request at a time, by size.
    pub alone: Vec<DirectWrite>,
    /// Several at a time, at random places.
    pub in_flight: Vec<InFlight>,
    /// What 10, 25, 50, 75, 90 and 99 % of single requests of 4 KiB at random places do not exceed, microseconds; null where there was no
    /// time for a hundred of them.
    pub quantiles_us: Option<[f64; 6]>,
    /// What each further segment of memory takes that a request is filled from, a difference that may be negative in noise;
    /// null where the device takes requests of one page only.
    pub segment: Option<Figure>,
}

/// One request at a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DirectWrite {
    /// Its size.
    pub bytes: u64,
    /// What it takes at a random place.
    pub random: Figure,
    /// What it takes where the last one ended.
    pub sequential: Figure,
}

/// Figures that [`measure`] makes.
pub(crate) fn figures(probe: &Probe) -> usize {
    2 * probe.direct.len() + 2 * probe.in_flight.len() + 1
}

/// Measures writing to the device; nothing where the file system has no direct writes, or has files in memory only. It goes by rounds as
/// reading does.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn measure(
    probe: &Probe,
    scratch: &Scratch,
    max_request_bytes: Option<u64>,
    sampling: &Sampling,
) -> Result<Option<DirectWrites>, ProbeError> {
    let path = &scratch.other("device-writes");
    let file_bytes = FILE_BYTES.min(probe.large_bytes);
    if !scratch.is_evictable || !is_written_past_cache(path, file_bytes)? {
        sampling.pass_over(figures(probe));
        return Ok(None);
    }
    let limits = Limits::of(probe, max_request_bytes);
    let device = Device {
        limits,
        file_bytes,
        path,
        sampling,
    };
    let most_bytes = probe.direct.iter().copied().max().unwrap_or(0);
    let memory = &mut Memory {
        whole: walk(most_bytes.max(limits.apart_bytes), 1),
        apart: Pages::new(),
    };
    let mut samples = Samples::of(probe, limits.large_bytes);
    // Not counted.
    device.round(memory, &mut Samples::of(probe, limits.large_bytes))?;
    sampling.rounds(figures(probe), figures(probe) as u32, || {
        device.round(memory, &mut samples)?;
        Ok(samples.figures().is_some_and(|writes| writes.is_tight()))
    })?;
    Ok(samples.figures())
}

impl DirectWrites {
    fn is_tight(&self) -> bool {
        let in_flight = self.in_flight.iter().flat_map(|it| [it.small, it.large]);
        let alone = self.alone.iter().flat_map(|it| [it.random, it.sequential]);
        alone.chain(in_flight).all(|figure| figure.is_tight())
    }
}

/// What was sampled so far, microseconds.
struct Samples {
    /// By size; at random places, and in sequence.
    alone: Vec<(u64, [Vec<f64>; 2])>,
    /// By number; of small ones, and of large ones.
    in_flight: Vec<(usize, [Vec<f64>; 2])>,
    large_bytes: u64,
    segment: Vec<f64>,
    rounds: usize,
}

impl Samples {
    fn of(probe: &Probe, large_bytes: u64) -> Self {
        let alone = probe
            .direct
            .iter()
            .map(|&bytes| (bytes, Default::default()));
        let in_flight = probe.in_flight.iter();
        Self {
            alone: alone.collect(),
            in_flight: in_flight
                .map(|&requests| (requests, Default::default()))
                .collect(),
            large_bytes,
            segment: Vec::new(),
            rounds: 0,
        }
    }

    /// Nothing before the first round.
    fn figures(&self) -> Option<DirectWrites> {
        let alone = self.alone.iter().map(|(bytes, [random, sequential])| {
            Some(DirectWrite {
                bytes: *bytes,
                random: Figure::of(random)?,
                sequential: Figure::of(sequential)?,
            })
        });
        let in_flight = self.in_flight.iter();
        let in_flight = in_flight.map(|it| InFlight::of(it, self.large_bytes));
        let small = self.alone.iter().find(|it| it.0 == SMALL_BYTES);
        Some(DirectWrites {
            alone: alone.collect::<Option<_>>()?,
            in_flight: in_flight.collect::<Option<_>>()?,
            quantiles_us: small.and_then(|(_, [random, _])| quantiles(random)),
            segment: Figure::of(&self.segment),
        })
    }
}

/// What single requests are filled from.
struct Memory {
    whole: Walk,
    apart: Pages,
}

/// The device, by what a file on it takes.
struct Device<'d> {
    limits: Limits,
    file_bytes: u64,
    path: &'d Path,
    sampling: &'d Sampling<'d>,
}

impl Device<'_> {
    fn round(&self, memory: &mut Memory, samples: &mut Samples) -> Result<(), ProbeError> {
        let round = samples.rounds;
        for (bytes, [random, sequential]) in &mut samples.alone {
            self.sampling.go_on()?;
            self.at_random(*bytes, round, &mut memory.whole, random)?;
            self.in_sequence(*bytes, round, &mut memory.whole, sequential)?;
        }
        for (requests, [small, large]) in &mut samples.in_flight {
            self.sampling.go_on()?;
            let large_bytes = self.limits.large_bytes;
            small.push(self.together(*requests, SMALL_BYTES, BLOCKS[0], round)?);
            large.push(self.together(*requests, large_bytes, BLOCKS[1], round)?);
        }
        self.segment(round, memory, &mut samples.segment)?;
        samples.rounds += 1;
        Ok(())
    }

    /// Single requests, microseconds each.
    fn at_random(
        &self,
        bytes: u64,
        round: usize,
        memory: &mut Walk,
        samples: &mut Vec<f64>,
    ) -> Result<(), ProbeError> {
        let file = self.open()?;
        let places = scattered(self.places(bytes)).cycle();
        for place in places.skip(round * ALONE).take(ALONE) {
            samples.push(self.write(&file, memory.next(bytes), place * bytes)?);
        }
        Ok(())
    }

    /// The same, each where the last one ended. The first of them goes on nowhere.
    fn in_sequence(
        &self,
        bytes: u64,
        round: usize,
        memory: &mut Walk,
        samples: &mut Vec<f64>,
    ) -> Result<(), ProbeError> {
        let file = self.open()?;
        let first = round * (ALONE + 1);
        for number in first..=first + ALONE {
            let place = number as u64 % self.places(bytes);
            let us = self.write(&file, memory.next(bytes), place * bytes)?;
            if number > first {
                samples.push(us);
            }
        }
        Ok(())
    }

    /// What each segment but the first takes: requests from pages apart and from one piece, in turn.
    fn segment(
        &self,
        round: usize,
        memory: &mut Memory,
        samples: &mut Vec<f64>,
    ) -> Result<(), ProbeError> {
        let (bytes, pages) = (
            self.limits.apart_bytes,
            self.limits.apart_bytes / PAGE_BYTES as u64,
        );
        if pages < 2 {
            return Ok(());
        }
        let file = self.open()?;
        let places = scattered(self.places(bytes)).cycle();
        let mut places = places.skip(2 * round * ALONE);
        let mut place = || places.next().unwrap_or(0) * bytes;
        for _ in 0..ALONE {
            let together = self.write(&file, memory.whole.next(bytes), place())?;
            let (at, apart) = (place(), memory.apart.next(pages as usize));
            let scattered = time_us(|| {
                let written = write_from(&file, &apart, bytes, at);
                Ok(written.on("write", self.path)?)
            })?;
            samples.push((scattered - together) / (pages - 1) as f64);
        }
        Ok(())
    }

    /// What a block takes all requests together.
    fn together(
        &self,
        requests: usize,
        block_bytes: u64,
        blocks: usize,
        round: usize,
    ) -> Result<f64, ProbeError> {
        let places: Vec<u64> = scattered(self.places(block_bytes)).collect();
        let writers = SideBySide {
            path: self.path,
            open: open_past_cache,
            deed: Deed::Write,
            memory: |block_bytes, writers| match block_bytes {
                SMALL_BYTES => Walk::of(filled(Buffer::aligned(block_bytes))),
                _ => walk(block_bytes, writers),
            },
            block_bytes,
            threads: requests,
            blocks,
        };
        writers.run(&places, round * requests * blocks)
    }

    /// Blocks of the file.
    fn places(&self, bytes: u64) -> u64 {
        (self.file_bytes / bytes).max(1)
    }

    fn open(&self) -> Result<File, ProbeError> {
        Ok(open_past_cache(self.path).on("open", self.path)?)
    }

    /// What a request takes, microseconds.
    fn write(&self, file: &File, memory: &[u8], offset: u64) -> Result<f64, ProbeError> {
        time_us(|| Ok(file.write_all_at(memory, offset).on("write", self.path)?))
    }
}

/// Memory that one of so many writers walks through, in pieces of so many bytes at most.
fn walk(most_bytes: u64, writers: usize) -> Walk {
    let bytes = WALKED_BYTES / writers.max(1) as u64;
    Walk::of(filled(Buffer::in_one_piece(bytes.max(most_bytes))))
}

/// With bytes that no device stores in less room.
fn filled(mut memory: Buffer) -> Buffer {
    let content = content(CONTENT_BYTES);
    for part in memory.bytes().chunks_mut(content.len()) {
        part.copy_from_slice(&content[..part.len()]);
    }
    memory
}

/// Writes `bytes` from pages of memory.
fn write_from(file: &File, pages: &[IoSliceMut<'_>], bytes: u64, offset: u64) -> io::Result<()> {
    let pages: Vec<IoSlice<'_>> = pages.iter().map(|page| IoSlice::new(page)).collect();
    match pwritev(file, &pages, offset)? as u64 {
        written if written == bytes => Ok(()),
        _ => Err(io::ErrorKind::WriteZero.into()),
    }
}

/// Makes the file; whether direct reads and writes of it work, and pass the page cache.
fn is_written_past_cache(path: &Path, bytes: u64) -> Result<bool, ProbeError> {
    drop(written(path, bytes)?);
    let mut block = Buffer::aligned(SMALL_BYTES);
    let takes_writes =
        open_past_cache(path).is_ok_and(|file| file.write_all_at(block.bytes(), 0).is_ok());
    Ok(takes_writes && is_direct(path)?)
}
