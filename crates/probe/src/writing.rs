//! What writing takes: into the page cache, and until it is on the device.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::thread;
use std::time::Instant;

use hotset_machine::OnFile;
use hotset_scenario::{CostLine, FlushCost, SyncCost, WriteCost};
use rustix::fs::OFlags;
use serde::Serialize;

use crate::buffer::Buffer;
use crate::direct::{LEAST_DELAYS, SMALL_BYTES, quantiles};
use crate::file_set::content;
use crate::idleness::{AfterIdleness, wakes};
use crate::sampling::{Sampling, time_us};
use crate::scratch::{Scratch, create};
use crate::tick::wait_for_tick;
use crate::{Figure, Probe, ProbeError};

/// Length of the file that is written over and over, bytes.
const WRITTEN_BYTES: u64 = 16 << 20;
/// Written for one sample at least, bytes: some hundred microseconds, beside which the clock takes no time.
const LEAST_BYTES: u64 = 256 << 10;
/// What each of several writers writes before it waits for the device, bytes.
const SYNCED_BYTES: u64 = 4 << 10;
/// Length of the file that each of them has, bytes.
const SHARE_BYTES: u64 = 1 << 20;
/// So often each of several writers does so for one sample.
const SYNCS: usize = 4;
/// Written before the device's cache is emptied, bytes.
const FLUSHED_BYTES: [u64; 3] = [SMALL_BYTES, 64 << 10, 1 << 20];

/// What writing comes to.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Writes {
    /// Writing blocks into the page cache, by their size.
    pub blocks: Vec<WrittenBlocks>,
    /// Waiting for the device (fsync), by how much was written since.
    pub syncs: Vec<SyncedBytes>,
    /// The same of bytes that are new at the end of a file, for which the file system commits.
    pub grown: Vec<SyncedBytes>,
    /// Waiting for the device after 4 KiB, by how many programs do so at the same time.
    pub writers: Vec<SyncedWriters>,
    /// Having the device put on its medium what is in its own cache, after 4 KiB. Null where the file system has no direct writes, or has files
    /// in memory only.
    pub flush: Option<Figure>,
    /// The same by how much was written since the last time; none likewise.
    pub flushes: Vec<FlushedBytes>,
    /// Waiting for the device after 4 KiB, by how long nothing was done before.
    pub idle: Vec<AfterIdleness>,
    /// Waking a thread that sleeps, likewise: each wait for the device has some of it.
    pub wakes: Vec<AfterIdleness>,
}

/// Writing blocks of one size into the page cache.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct WrittenBlocks {
    /// Their size.
    pub bytes: u64,
    /// Over a file of which all is in memory.
    pub over: Figure,
    /// At the end of a file, where the kernel gives each page anew.
    pub appended: Figure,
    /// Over a file that was synced just before: one of its pages is the first to be dirty, and the processor's caches were left for the wait.
    pub after_sync: Figure,
    /// What 10, 25, 50, 75, 90 and 99 % of such writes do not exceed, microseconds; null where there was no time for a hundred of them.
    pub after_sync_quantiles_us: Option<[f64; 6]>,
}

/// Having the device put on its medium what was written to it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FlushedBytes {
    /// Written past the page cache since the last time.
    pub bytes: u64,
    /// What it takes right after another such write and flush.
    #[serde(flatten)]
    pub figure: Figure,
    /// What 10, 25, 50, 75, 90 and 99 % of times do not exceed, microseconds; null where there was no time for a hundred of them.
    pub quantiles_us: Option<[f64; 6]>,
    /// What it takes where the write was the first after a tick of the kernel's clock: a file that the device is made of has a new time then.
    pub new_tick: Figure,
    /// Quantiles of that, likewise.
    pub new_tick_quantiles_us: Option<[f64; 6]>,
}

/// Writing blocks of one size right after a sync.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WriteAfterSync {
    /// Their size.
    pub bytes: u64,
    /// What it takes.
    pub figure: Figure,
    /// What 10, 25, 50, 75, 90 and 99 % do not exceed, microseconds; nothing where there was no time for a hundred of them.
    pub quantiles_us: Option<[f64; 6]>,
}

/// Waiting until so many bytes are on the device.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SyncedBytes {
    /// Written since the last time.
    pub bytes: u64,
    /// What waiting takes.
    #[serde(flatten)]
    pub figure: Figure,
}

/// So many programs that wait for the device at the same time, each with a file of its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SyncedWriters {
    /// How many.
    pub writers: usize,
    /// What writing 4 KiB over a file and waiting takes each of them.
    #[serde(flatten)]
    pub figure: Figure,
}

impl Writes {
    /// Rows of a profile: medians of writing over what is there.
    pub(crate) fn costs(&self) -> Vec<WriteCost> {
        let row = |it: &WrittenBlocks| WriteCost {
            block_bytes: it.bytes,
            us: it.over.median_us,
            new_pages_us: Some(it.appended.median_us),
            after_sync_us: Some(it.after_sync.median_us),
            after_sync_quantiles_us: it.after_sync_quantiles_us,
        };
        self.blocks.iter().map(row).collect()
    }

    /// The same of waiting: medians by bytes, then by writers.
    pub(crate) fn sync_costs(&self) -> Vec<SyncCost> {
        let by_bytes = self.syncs.iter().map(|it| SyncCost {
            bytes: it.bytes,
            writers: 1,
            us: it.figure.median_us,
        });
        let several = self.writers.iter().filter(|it| it.writers > 1);
        let by_writers = several.map(|it| SyncCost {
            bytes: SYNCED_BYTES,
            writers: it.writers,
            us: it.figure.median_us,
        });
        by_bytes.chain(by_writers).collect()
    }

    /// The same of emptying the device's cache.
    pub(crate) fn flush_costs(&self) -> Vec<FlushCost> {
        let row = |it: &FlushedBytes| FlushCost {
            bytes: it.bytes,
            us: it.figure.median_us,
            quantiles_us: it.quantiles_us,
            new_tick_us: Some(it.new_tick.median_us),
            new_tick_quantiles_us: it.new_tick_quantiles_us,
        };
        self.flushes.iter().map(row).collect()
    }

    /// Microseconds until a thread runs that is woken while others are at work.
    pub(crate) fn wake_us(&self) -> Option<f64> {
        let at_once = self.wakes.iter().find(|it| it.idle_ms == 0);
        at_once.map(|it| it.next.median_us)
    }

    /// Microseconds that a call takes by itself, and those of each page that it writes: the line through blocks of a page or more.
    #[must_use]
    pub fn call_and_page_us(&self) -> Option<(f64, f64)> {
        let point = |it: &WrittenBlocks| (it.bytes, it.over.median_us);
        let line = CostLine::fit(self.blocks.iter().map(point))?;
        Some((line.fixed_us, SMALL_BYTES as f64 / line.bytes_per_us))
    }
}

/// Figures that [`measure`] makes.
pub(crate) fn figures(probe: &Probe) -> usize {
    let idle = AfterIdleness::FIGURES * (2 * probe.idle_ms.len() + 1);
    let flushes = 2 * FLUSHED_BYTES.len() + idle;
    3 * probe.written.len() + 2 * probe.synced.len() + probe.writers.len() + flushes
}

/// Measures all of it.
///
/// # Errors
/// When the file system refuses something.
pub(crate) fn measure(
    probe: &Probe,
    scratch: &Scratch,
    sampling: &Sampling,
) -> Result<Writes, ProbeError> {
    let file = &Written::make(scratch, sampling)?;
    let block = |&bytes: &u64| {
        let (over, appended) = (file.over(bytes)?, appended(scratch, sampling, bytes)?);
        let after_sync = file.after_sync(bytes)?;
        Ok(WrittenBlocks {
            bytes,
            over,
            appended,
            after_sync: after_sync.figure,
            after_sync_quantiles_us: after_sync.quantiles_us,
        })
    };
    let synced = |&bytes: &u64| {
        Ok(SyncedBytes {
            bytes,
            figure: file.synced(bytes)?,
        })
    };
    let writers = |&writers: &usize| {
        Ok(SyncedWriters {
            writers,
            figure: together(scratch, sampling, writers)?,
        })
    };
    let blocks = probe.written.iter().map(block);
    let blocks = blocks.collect::<Result<Vec<_>, ProbeError>>()?;
    let syncs = probe.synced.iter().map(synced);
    let syncs = syncs.collect::<Result<Vec<_>, ProbeError>>()?;
    let grown = probe.synced.iter();
    let grown = grown.map(|&bytes| grown_file(scratch, sampling, bytes));
    let grown = grown.collect::<Result<Vec<_>, ProbeError>>()?;
    let writers = probe.writers.iter().map(writers);
    let writers = writers.collect::<Result<Vec<_>, ProbeError>>()?;
    let flushes = flushes(scratch, sampling)?;
    let idle = probe.idle_ms.iter();
    let idle = idle.map(|&idle_ms| file.after_idleness(idle_ms));
    Ok(Writes {
        blocks,
        syncs,
        grown,
        writers,
        flush: flushes.first().map(|it| it.figure),
        flushes,
        idle: idle.collect::<Result<Vec<_>, ProbeError>>()?,
        wakes: wakes(&probe.idle_ms, sampling)?,
    })
}

/// Measures writes of some sizes that follow a sync, and nothing else.
///
/// # Errors
/// When the file system refuses something.
pub(crate) fn after_syncs(
    sizes: &[u64],
    scratch: &Scratch,
    sampling: &Sampling,
) -> Result<Vec<WriteAfterSync>, ProbeError> {
    let file = Written::make(scratch, sampling)?;
    sizes.iter().map(|&bytes| file.after_sync(bytes)).collect()
}

/// A file of so many bytes that are on the device, open to be written over.
pub(crate) fn written(path: &Path, bytes: u64) -> Result<File, ProbeError> {
    fs::write(path, content(bytes)).on("write", path)?;
    let file = OpenOptions::new().write(true).open(path);
    let file = file.on("open", path)?;
    file.sync_all().on("write", path)?;
    Ok(file)
}

/// A file that is written over and over.
struct Written<'w> {
    scratch: &'w Scratch,
    path: PathBuf,
    file: File,
    sampling: &'w Sampling<'w>,
}

impl<'w> Written<'w> {
    fn make(scratch: &'w Scratch, sampling: &'w Sampling<'w>) -> Result<Self, ProbeError> {
        let path = scratch.other("written");
        Ok(Self {
            scratch,
            file: written(&path, WRITTEN_BYTES)?,
            path,
            sampling,
        })
    }

    /// Into the page cache, where all of the file is.
    fn over(&self, bytes: u64) -> Result<Figure, ProbeError> {
        let mut buffer = Buffer::of_malloc(bytes);
        let (places, batch) = (WRITTEN_BYTES / bytes, (LEAST_BYTES / bytes).max(1));
        self.sampling.figure(|number| {
            self.scratch.load_anew(&self.path)?;
            let first = number as u64 * batch;
            let took = time_us(|| {
                (first..first + batch)
                    .try_for_each(|place| self.write(buffer.bytes(), place % places * bytes))
            });
            Ok(took? / batch as f64)
        })
    }

    /// The same once all of the file is on the device.
    fn after_sync(&self, bytes: u64) -> Result<WriteAfterSync, ProbeError> {
        let mut buffer = Buffer::of_malloc(bytes);
        let places = WRITTEN_BYTES / bytes;
        self.scratch.load_anew(&self.path)?;
        let (figure, samples) = self.sampling.samples(LEAST_DELAYS, |number| {
            self.file.sync_all().on("write", &self.path)?;
            time_us(|| self.write(buffer.bytes(), number as u64 % places * bytes))
        })?;
        Ok(WriteAfterSync {
            bytes,
            figure,
            quantiles_us: quantiles(&samples),
        })
    }

    /// Waiting for the device once so many bytes are dirty.
    fn synced(&self, bytes: u64) -> Result<Figure, ProbeError> {
        let mut buffer = Buffer::of_malloc(bytes);
        let places = WRITTEN_BYTES / bytes;
        self.sampling.figure(|number| {
            let place = number as u64 % places * bytes;
            self.write(buffer.bytes(), place)?;
            time_us(|| Ok(self.file.sync_all().on("write", &self.path)?))
        })
    }

    /// Waiting for the device after 4 KiB, once nothing was done for so long.
    fn after_idleness(&self, idle_ms: u64) -> Result<AfterIdleness, ProbeError> {
        let buffer = vec![1; SYNCED_BYTES as usize];
        let places = WRITTEN_BYTES / SYNCED_BYTES;
        AfterIdleness::of(idle_ms, self.sampling, |number| {
            self.write(&buffer, number as u64 % places * SYNCED_BYTES)?;
            time_us(|| Ok(self.file.sync_all().on("write", &self.path)?))
        })
    }

    fn write(&self, buffer: &[u8], place: u64) -> Result<(), ProbeError> {
        Ok(self
            .file
            .write_all_at(buffer, place)
            .on("write", &self.path)?)
    }
}

/// At the end of a file, which begins empty for each sample.
fn appended(scratch: &Scratch, sampling: &Sampling, bytes: u64) -> Result<Figure, ProbeError> {
    let path = scratch.other("appended");
    let file = create(&path)?;
    let mut buffer = Buffer::of_malloc(bytes);
    let batch = (LEAST_BYTES / bytes).max(1);
    sampling.figure(|_| {
        file.set_len(0).on("cut", &path)?;
        let took = time_us(|| {
            (0..batch).try_for_each(|number| {
                let written = file.write_all_at(buffer.bytes(), number * bytes);
                Ok(written.on("write", &path)?)
            })
        });
        Ok(took? / batch as f64)
    })
}

/// Waiting for the device once so many bytes are new at the end of a file, which begins empty again when it is long enough.
fn grown_file(
    scratch: &Scratch,
    sampling: &Sampling,
    bytes: u64,
) -> Result<SyncedBytes, ProbeError> {
    let path = scratch.other("grown");
    let file = create(&path)?;
    let mut buffer = Buffer::of_malloc(bytes);
    let places = WRITTEN_BYTES / bytes;
    let figure = sampling.figure(|number| {
        let place = number as u64 % places * bytes;
        if place == 0 {
            file.set_len(0).on("cut", &path)?;
        }
        let written = file.write_all_at(buffer.bytes(), place);
        written.on("write", &path)?;
        time_us(|| Ok(file.sync_all().on("write", &path)?))
    })?;
    Ok(SyncedBytes { bytes, figure })
}

/// What each of several writers takes to write over a file and to wait for the device. All begin at the same time.
fn together(scratch: &Scratch, sampling: &Sampling, writers: usize) -> Result<Figure, ProbeError> {
    let make = |number: usize| {
        let path = scratch.other(&format!("synced-{number}"));
        Ok((written(&path, SHARE_BYTES)?, path))
    };
    let files = (0..writers).map(make);
    let files = files.collect::<Result<Vec<(File, PathBuf)>, ProbeError>>()?;
    sampling.figure(|sample| {
        let (ready, first) = (Barrier::new(writers), sample * SYNCS);
        let ready = &ready;
        let times = thread::scope(|scope| {
            let running: Vec<_> = files
                .iter()
                .map(|(file, path)| {
                    scope.spawn(move || {
                        ready.wait();
                        sync_in_turn(file, path, first)
                    })
                })
                .collect();
            let times = running.into_iter().map(|thread| {
                // A writer does not panic; if one did, so would the caller.
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            times.collect::<Result<Vec<f64>, ProbeError>>()
        })?;
        Ok(times.iter().sum::<f64>() / (writers * SYNCS) as f64)
    })
}

/// Writes and waits some times; microseconds in all.
fn sync_in_turn(file: &File, path: &Path, first: usize) -> Result<f64, ProbeError> {
    let buffer = vec![1; SYNCED_BYTES as usize];
    let started = Instant::now();
    for number in first..first + SYNCS {
        let place = number as u64 * SYNCED_BYTES % SHARE_BYTES;
        file.write_all_at(&buffer, place).on("write", path)?;
        file.sync_all().on("write", path)?;
    }
    Ok(started.elapsed().as_nanos() as f64 / 1e3)
}

/// What waiting takes when all is on the device but in its own cache, by how much is there. Before, a block is written past the page cache, to a
/// place that is written already. Nothing of the file but its times has changed then, for which `fdatasync` does not wait.
fn flushes(scratch: &Scratch, sampling: &Sampling) -> Result<Vec<FlushedBytes>, ProbeError> {
    let path = scratch.other("written");
    let opened = open_past_cache(&path);
    let mut buffer = Buffer::aligned(SMALL_BYTES);
    let is_direct = |file: &File, buffer: &mut Buffer| file.write_all_at(buffer.bytes(), 0).is_ok();
    let opened = opened.ok().filter(|_| scratch.is_evictable);
    let Some(file) = opened.filter(|file| is_direct(file, &mut buffer)) else {
        sampling.pass_over(2 * FLUSHED_BYTES.len());
        return Ok(Vec::new());
    };
    let flushes = FLUSHED_BYTES.map(|bytes| flush(&file, &path, bytes, sampling));
    flushes.into_iter().collect()
}

/// The same after so many bytes.
fn flush(
    file: &File,
    path: &Path,
    bytes: u64,
    sampling: &Sampling,
) -> Result<FlushedBytes, ProbeError> {
    let mut buffer = Buffer::aligned(bytes);
    let places = WRITTEN_BYTES / bytes;
    let mut flushed_us = |number: usize| {
        let place = number as u64 % places * bytes;
        let written = file.write_all_at(buffer.bytes(), place);
        written.on("write", path)?;
        time_us(|| Ok(file.sync_data().on("write", path)?))
    };
    let (figure, samples) = sampling.samples(LEAST_DELAYS, |number| {
        wait_for_tick();
        let _first_us = flushed_us(2 * number)?;
        flushed_us(2 * number + 1)
    })?;
    let (new_tick, first_samples) = sampling.samples(LEAST_DELAYS, |number| {
        wait_for_tick();
        flushed_us(number)
    })?;
    Ok(FlushedBytes {
        bytes,
        figure,
        quantiles_us: quantiles(&samples),
        new_tick,
        new_tick_quantiles_us: quantiles(&first_samples),
    })
}

/// Opens a file for direct writes.
pub(crate) fn open_past_cache(path: &Path) -> io::Result<File> {
    let direct = OFlags::DIRECT.bits().cast_signed();
    OpenOptions::new()
        .write(true)
        .custom_flags(direct)
        .open(path)
}
