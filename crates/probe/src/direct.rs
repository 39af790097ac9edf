//! What the device takes, past the page cache (`O_DIRECT`): requests alone, and several in flight.

use std::fs::{File, OpenOptions};
use std::io::{self, IoSliceMut};
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::Path;

use hotset_machine::{OnFile, Residency};
use hotset_scenario::MeasuredDevice;
use rustix::fs::OFlags;
use rustix::io::preadv;
use serde::Serialize;

use crate::buffer::{Buffer, PAGE_BYTES, Pages, Walk};
use crate::order::scattered;
use crate::sampling::{Sampling, time_us};
use crate::scratch::{Scratch, evict_surely};
use crate::side_by_side::{Deed, SideBySide};
use crate::{Figure, Probe, ProbeError};

/// The small block, bytes: a page. Its requests are nearly all delay.
pub(crate) const SMALL_BYTES: u64 = MeasuredDevice::SMALL_BYTES;
/// The large block of requests in flight, bytes, where the device takes such requests: nearly all transfer.
const LARGE_BYTES: u64 = 1 << 20;
/// Blocks that each reader reads for one sample: small ones, and large ones. Some milliseconds, beside which it takes no time until
/// the last reader has begun.
const BLOCKS: [usize; 2] = [64, 4];
/// Segments of memory that a request fills to tell what each takes: no queue takes fewer at once (`BLK_MAX_SEGMENTS` is 128,
/// `include/linux/blkdev.h`) unless its driver says so.
const SEGMENTS: u64 = 64;
/// Single requests of each size in a round.
const ALONE: usize = 16;
/// Fewer make no quantile at 99 %.
pub(crate) const LEAST_DELAYS: usize = 100;

/// Requests for blocks at random places, past the page cache.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DirectReads {
    /// One request at a time, by size.
    pub alone: Vec<DirectRead>,
    /// Several at a time.
    pub in_flight: Vec<InFlight>,
    /// What 10, 25, 50, 75, 90 and 99 % of single requests of 4 KiB do not exceed, microseconds; nothing where there was no
    /// time for a hundred of them.
    pub quantiles_us: Option<[f64; 6]>,
    /// What each further segment of memory takes that a request fills, a difference that may be negative in noise;
    /// null where the device takes requests of one page only.
    pub segment: Option<Figure>,
}

/// One request at a time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DirectRead {
    /// Its size.
    pub bytes: u64,
    /// What it takes.
    #[serde(flatten)]
    pub figure: Figure,
}

/// So many requests at a time, each from a thread of its own: all of them read, or all write.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct InFlight {
    /// How many.
    pub requests: usize,
    /// What a block of 4 KiB takes all of them together.
    pub small: Figure,
    /// Size of a large block.
    pub large_bytes: u64,
    /// What a large block takes all of them together.
    pub large: Figure,
}

impl InFlight {
    /// Of samples of small and of large blocks, by so many requests at a time.
    pub(crate) fn of(
        (requests, [small, large]): &(usize, [Vec<f64>; 2]),
        large_bytes: u64,
    ) -> Option<Self> {
        Some(Self {
            requests: *requests,
            small: Figure::of(small)?,
            large_bytes,
            large: Figure::of(large)?,
        })
    }
}

/// Figures that [`measure`] makes.
pub(crate) fn figures(probe: &Probe) -> usize {
    probe.direct.len() + 2 * probe.in_flight.len() + 1
}

/// Measures the device; nothing where the file system has no direct reads, or has files in memory only.
///
/// A round has samples of everything, so that what drifts drifts for all of it: what requests in flight take is told as a
/// multiple of what one takes.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn measure(
    probe: &Probe,
    scratch: &Scratch,
    max_request_bytes: Option<u64>,
    sampling: &Sampling,
) -> Result<Option<DirectReads>, ProbeError> {
    if !scratch.is_evictable || !is_direct(&scratch.large)? {
        return Ok(None);
    }
    let Limits {
        large_bytes,
        apart_bytes,
    } = Limits::of(probe, max_request_bytes);
    let device = Device {
        large_bytes,
        apart_bytes,
        file_bytes: probe.large_bytes,
        path: &scratch.large,
        sampling,
    };
    let mut samples = Samples::of(probe);
    let most_bytes = probe.direct.iter().copied().max().unwrap_or(0);
    let memory = &mut Memory {
        whole: Walk::new(most_bytes.max(device.apart_bytes)),
        apart: Pages::new(),
    };
    // Not counted.
    device.round(memory, &mut Samples::of(probe))?;
    sampling.rounds(figures(probe), figures(probe) as u32, || {
        device.round(memory, &mut samples)?;
        Ok(samples.figures().is_some_and(|reads| reads.is_tight()))
    })?;
    Ok(samples.figures())
}

impl DirectReads {
    fn is_tight(&self) -> bool {
        let in_flight = self.in_flight.iter().flat_map(|it| [it.small, it.large]);
        let mut figures = self.alone.iter().map(|it| it.figure).chain(in_flight);
        figures.all(|figure| figure.is_tight())
    }
}

/// What was sampled so far, microseconds.
struct Samples {
    /// By size.
    alone: Vec<(u64, Vec<f64>)>,
    /// By number; of small ones, and of large ones.
    in_flight: Vec<(usize, [Vec<f64>; 2])>,
    large_bytes: u64,
    segment: Vec<f64>,
    rounds: usize,
}

impl Samples {
    fn of(probe: &Probe) -> Self {
        let alone = probe.direct.iter().map(|&bytes| (bytes, Vec::new()));
        let in_flight = probe.in_flight.iter();
        Self {
            alone: alone.collect(),
            in_flight: in_flight
                .map(|&requests| (requests, [Vec::new(), Vec::new()]))
                .collect(),
            large_bytes: 0,
            segment: Vec::new(),
            rounds: 0,
        }
    }

    /// Nothing before the first round.
    fn figures(&self) -> Option<DirectReads> {
        let small = self.alone.iter().find(|it| it.0 == SMALL_BYTES);
        let alone = self.alone.iter().map(|(bytes, samples)| {
            Some(DirectRead {
                bytes: *bytes,
                figure: Figure::of(samples)?,
            })
        });
        let in_flight = self.in_flight.iter();
        let in_flight = in_flight.map(|it| InFlight::of(it, self.large_bytes));
        Some(DirectReads {
            alone: alone.collect::<Option<_>>()?,
            in_flight: in_flight.collect::<Option<_>>()?,
            quantiles_us: small.and_then(|(_, samples)| quantiles(samples)),
            segment: Figure::of(&self.segment),
        })
    }
}

/// What single requests fill.
struct Memory {
    whole: Walk,
    apart: Pages,
}

/// The device, by what a file on it gives.
struct Device<'d> {
    large_bytes: u64,
    /// Read into pages that lie apart.
    apart_bytes: u64,
    file_bytes: u64,
    path: &'d Path,
    sampling: &'d Sampling<'d>,
}

impl Device<'_> {
    fn round(&self, memory: &mut Memory, samples: &mut Samples) -> Result<(), ProbeError> {
        let round = samples.rounds;
        samples.large_bytes = self.large_bytes;
        for (bytes, samples) in &mut samples.alone {
            self.sampling.go_on()?;
            self.alone(*bytes, round, &mut memory.whole, samples)?;
        }
        for (requests, [small, large]) in &mut samples.in_flight {
            self.sampling.go_on()?;
            small.push(self.together(*requests, SMALL_BYTES, BLOCKS[0], round)?);
            large.push(self.together(*requests, self.large_bytes, BLOCKS[1], round)?);
        }
        self.segment(round, memory, &mut samples.segment)?;
        samples.rounds += 1;
        Ok(())
    }

    /// Single requests, microseconds each.
    fn alone(
        &self,
        bytes: u64,
        round: usize,
        memory: &mut Walk,
        samples: &mut Vec<f64>,
    ) -> Result<(), ProbeError> {
        let file = open(self.path).on("open", self.path)?;
        let places = scattered((self.file_bytes / bytes).max(1)).cycle();
        for place in places.skip(round * ALONE).take(ALONE) {
            samples.push(time_us(|| {
                let read = file.read_exact_at(memory.next(bytes), place * bytes);
                Ok(read.on("read", self.path)?)
            })?);
        }
        Ok(())
    }

    /// What each segment but the first takes: requests into pages apart and into one piece, in turn.
    fn segment(
        &self,
        round: usize,
        memory: &mut Memory,
        samples: &mut Vec<f64>,
    ) -> Result<(), ProbeError> {
        let (bytes, pages) = (self.apart_bytes, self.apart_bytes / PAGE_BYTES as u64);
        if pages < 2 {
            return Ok(());
        }
        let file = open(self.path).on("open", self.path)?;
        let mut places = scattered((self.file_bytes / bytes).max(1))
            .cycle()
            .skip(2 * round * ALONE);
        let mut place = || places.next().unwrap_or(0) * bytes;
        for _ in 0..ALONE {
            let at = place();
            let together = time_us(|| {
                let read = file.read_exact_at(memory.whole.next(bytes), at);
                Ok(read.on("read", self.path)?)
            });
            let (at, mut apart) = (place(), memory.apart.next(pages as usize));
            let scattered = time_us(|| {
                let read = read_into(&file, &mut apart, bytes, at);
                Ok(read.on("read", self.path)?)
            });
            samples.push((scattered? - together?) / (pages - 1) as f64);
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
        let places: Vec<u64> = scattered((self.file_bytes / block_bytes).max(1)).collect();
        let readers = SideBySide {
            path: self.path,
            open,
            deed: Deed::Read,
            memory: |block_bytes, readers| match block_bytes {
                SMALL_BYTES => Walk::of(Buffer::aligned(block_bytes)),
                _ => Walk::shared(block_bytes, readers),
            },
            block_bytes,
            threads: requests,
            blocks,
        };
        readers.run(&places, round * requests * blocks)
    }
}

/// How large requests are, by what the device takes at once.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Bytes of a large one of several in flight.
    pub large_bytes: u64,
    /// Bytes of one for pages that lie apart.
    pub apart_bytes: u64,
}

impl Limits {
    pub fn of(probe: &Probe, max_request_bytes: Option<u64>) -> Self {
        let most = max_request_bytes.unwrap_or(u64::MAX).min(probe.large_bytes);
        let page = PAGE_BYTES as u64;
        Self {
            large_bytes: LARGE_BYTES.min(max_request_bytes.unwrap_or(LARGE_BYTES)),
            apart_bytes: SEGMENTS.min(most / page) * page,
        }
    }
}

/// Reads `bytes` into pages of memory.
fn read_into(file: &File, pages: &mut [IoSliceMut<'_>], bytes: u64, offset: u64) -> io::Result<()> {
    match preadv(file, pages, offset)? as u64 {
        read if read == bytes => Ok(()),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Opens a file for direct reads.
fn open(path: &Path) -> io::Result<File> {
    let direct = OFlags::DIRECT.bits().cast_signed();
    OpenOptions::new()
        .read(true)
        .custom_flags(direct)
        .open(path)
}

/// Whether direct reads of the file work, and pass the page cache: some file systems take the flag and read as ever.
pub(crate) fn is_direct(path: &Path) -> Result<bool, ProbeError> {
    let Ok(file) = open(path) else {
        return Ok(false);
    };
    evict_surely(path)?;
    if file
        .read_exact_at(Buffer::aligned(SMALL_BYTES).bytes(), 0)
        .is_err()
    {
        return Ok(false);
    }
    let residency = Residency::of(&file).on("count cached pages of", path)?;
    Ok(residency.resident == 0)
}

/// The quantiles that a profile has; nothing of few samples.
pub(crate) fn quantiles(samples: &[f64]) -> Option<[f64; 6]> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    let at = |share: f64| sorted[(share * last as f64).round() as usize];
    (sorted.len() >= LEAST_DELAYS).then(|| MeasuredDevice::QUANTILES.map(at))
}
