//! What the calls of a mount take: a call and its answer, attributes that are asked for anew, several callers, and processors.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use hotset_machine::{OnFile, used_processor_us};
use hotset_scenario::PageKeeping;
use rustix::fs::{AtFlags, CWD, StatxFlags, statx};
use serde::Serialize;

use crate::sampling::{Sampling, time_us};
use crate::scratch::{Scratch, buffer, evict_surely};
use crate::{Figure, Probe, ProbeError};

/// Calls for one sample.
const BATCH: usize = 8;
/// Calls of each of several callers for one sample: some milliseconds, beside which it takes no time to start threads.
const CALLS: usize = 32;
/// Bytes of a file that is opened, read and closed, at most.
const READ_BYTES: u64 = 4 << 10;
/// What programs read where processors are watched, bytes: as much as the kernel asks a program behind a mount for at a time unless the
/// two agree on more (`FUSE_DEFAULT_MAX_PAGES_PER_REQ`, `fs/fuse/fuse_i.h`).
const USUAL_BYTES: u64 = 128 << 10;
/// Processors do nothing for so long at a time while nothing is asked.
const PAUSE: Duration = Duration::from_millis(5);

/// What the calls of a mount take.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MountCalls {
    /// How long this machine's page cache keeps what was read of a file: kept until the memory is needed, until-opened until somebody opens
    /// the file, never where each read is a call.
    pub keeping: PageKeeping,
    /// Looking up a name that is not there and was never looked up: one call and its answer.
    pub round_trip: Figure,
    /// Attributes of a file, asked for anew whatever is known of them here.
    pub attributes: Figure,
    /// Opening a file of 4 KiB of which nothing is in the page cache, reading it and closing it.
    pub open_read_close: Figure,
    /// Programs that look up such names at the same time.
    pub callers: Vec<MountCallers>,
    /// What calls cost this machine's processors.
    pub processors: CallProcessors,
}

/// So many programs that make calls at the same time.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MountCallers {
    /// How many.
    pub callers: usize,
    /// What a call takes all of them together.
    #[serde(flatten)]
    pub figure: Figure,
}

/// What calls cost the processors of the machine that makes them, by all that it does beyond what it does when nothing is asked. A server on
/// the same machine is part of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CallProcessors {
    /// A call that moves no data, microseconds.
    pub call_us: f64,
    /// A byte that is read, beside calls, nanoseconds.
    pub ns_per_byte: f64,
    /// Bytes that a call was taken to read.
    pub read_bytes: u64,
}

/// Figures that [`measure`] makes.
pub(crate) fn figures(probe: &Probe) -> usize {
    3 + probe.readers.len() + 3
}

/// Measures all of it; nothing on file systems of this machine.
///
/// # Errors
/// When a file cannot be read, looked up or evicted.
pub(crate) fn measure(
    probe: &Probe,
    scratch: &Scratch,
    max_request_bytes: Option<u64>,
    sampling: &Sampling,
) -> Result<MountCalls, ProbeError> {
    let absent = &Absent::beside(&scratch.large);
    let callers = |&callers: &usize| {
        Ok(MountCallers {
            callers,
            figure: sampling.figure(|_| absent.together(callers))?,
        })
    };
    let callers = probe.readers.iter().map(callers);
    Ok(MountCalls {
        keeping: scratch.keeping,
        round_trip: sampling.figure(|_| each(|| absent.look_up()))?,
        attributes: sampling.figure(|_| each(|| ask_attributes(&scratch.large)))?,
        open_read_close: open_read_close(scratch, sampling)?,
        callers: callers.collect::<Result<_, ProbeError>>()?,
        processors: processors(probe, scratch, (absent, max_request_bytes), sampling)?,
    })
}

/// Microseconds of a deed, of some.
fn each(mut deed: impl FnMut() -> Result<(), ProbeError>) -> Result<f64, ProbeError> {
    Ok(time_us(|| (0..BATCH).try_for_each(|_| deed()))? / BATCH as f64)
}

/// Attributes as the server has them, and not as they are remembered here (statx(2)).
fn ask_attributes(path: &Path) -> Result<(), ProbeError> {
    let asked = statx(
        CWD,
        path,
        AtFlags::STATX_FORCE_SYNC,
        StatxFlags::BASIC_STATS,
    );
    Ok(asked.map(drop).on("look up", path)?)
}

fn open_read_close(scratch: &Scratch, sampling: &Sampling) -> Result<Figure, ProbeError> {
    let smallest = scratch.sets.iter().min_by_key(|set| set.sizes[0]);
    let paths: Vec<PathBuf> = match smallest {
        Some(set) => (0..set.files)
            .map(|number| set.file(set.sizes[0], number))
            .collect(),
        None => vec![scratch.large.clone()],
    };
    sampling.figure(|number| {
        let path = &paths[number % paths.len()];
        evict_surely(path)?;
        time_us(|| {
            let file = File::open(path).on("open", path)?;
            let read = io::copy(&mut file.take(READ_BYTES), &mut io::sink());
            Ok(read.map(drop).on("read", path)?)
        })
    })
}

/// Names in a folder that are not there, each used once: what is remembered of names that were not found would answer for the server.
struct Absent {
    beside: PathBuf,
    next: AtomicU64,
}

impl Absent {
    fn beside(file: &Path) -> Self {
        Self {
            beside: file.to_owned(),
            next: AtomicU64::new(0),
        }
    }

    fn look_up(&self) -> Result<(), ProbeError> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let path = self.beside.with_file_name(format!("absent-{number}"));
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            found => Ok(found.map(drop).on("look up", &path)?),
        }
    }

    /// What a call takes so many callers together.
    fn together(&self, callers: usize) -> Result<f64, ProbeError> {
        let ready = &Barrier::new(callers);
        let one = || -> Result<(Instant, Instant), ProbeError> {
            ready.wait();
            let began = Instant::now();
            (0..CALLS).try_for_each(|_| self.look_up())?;
            Ok((began, Instant::now()))
        };
        let spans = thread::scope(|scope| {
            let running: Vec<_> = (0..callers).map(|_| scope.spawn(one)).collect();
            let spans = running.into_iter().map(|thread| {
                // No caller panics; if one did, so would the thread that waits.
                thread
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            });
            spans.collect::<Result<Vec<(Instant, Instant)>, ProbeError>>()
        })?;
        let began = spans.iter().map(|span| span.0).min();
        let done = spans.iter().map(|span| span.1).max();
        let took = began
            .zip(done)
            .map_or(0.0, |(began, done)| (done - began).as_nanos() as f64 / 1e3);
        Ok(took / (callers * CALLS) as f64)
    }
}

/// What processors did while something was done over and over.
struct Watched {
    used_us: f64,
    took_us: f64,
    deeds: f64,
}

impl Watched {
    fn of(
        time: Duration,
        sampling: &Sampling,
        mut deed: impl FnMut() -> Result<(), ProbeError>,
    ) -> Result<Self, ProbeError> {
        let (began, used) = (Instant::now(), used_processor_us()?);
        let mut deeds = 0_u32;
        while deeds == 0 || began.elapsed() < time {
            sampling.go_on()?;
            deed()?;
            deeds += 1;
        }
        sampling.pass_over(1);
        Ok(Self {
            used_us: used_processor_us()?.saturating_sub(used) as f64,
            took_us: began.elapsed().as_nanos() as f64 / 1e3,
            deeds: f64::from(deeds),
        })
    }

    /// What a deed took of them beyond what they do anyway, microseconds.
    fn beyond(&self, idle: &Self) -> f64 {
        let anyway = idle.used_us / idle.took_us * self.took_us;
        ((self.used_us - anyway) / self.deeds).max(0.0)
    }
}

/// Processors are watched while nothing is asked, while names are looked up, and while a file is read.
fn processors(
    probe: &Probe,
    scratch: &Scratch,
    (absent, max_request_bytes): (&Absent, Option<u64>),
    sampling: &Sampling,
) -> Result<CallProcessors, ProbeError> {
    let time = probe.patience;
    let idle = Watched::of(time, sampling, || {
        thread::sleep(PAUSE);
        Ok(())
    })?;
    let calls = Watched::of(time, sampling, || absent.look_up())?;
    let mut memory = buffer(USUAL_BYTES);
    let path = &scratch.large;
    let reads = Watched::of(time, sampling, || {
        evict_surely(path)?;
        let mut file = File::open(path).on("open", path)?;
        while file.read(&mut memory).on("read", path)? > 0 {}
        Ok(())
    })?;
    let read_bytes = max_request_bytes.unwrap_or(USUAL_BYTES);
    let call_us = calls.beyond(&idle);
    let asked = (probe.large_bytes as f64 / read_bytes as f64).ceil();
    let of_bytes_us = (reads.beyond(&idle) - asked * call_us).max(0.0);
    Ok(CallProcessors {
        call_us,
        ns_per_byte: 1e3 * of_bytes_us / probe.large_bytes as f64,
        read_bytes,
    })
}
