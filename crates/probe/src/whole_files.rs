//! What reading a whole file takes, by its size.

use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use hotset_machine::OnFile;
use serde::Serialize;

use crate::sampling::{Sampling, time_us};
use crate::scratch::{Scratch, buffer, evict_surely};
use crate::{Figure, FileSet, ProbeError, spread};

/// Cached files that are read for one sample: one read takes little more than looking at the clock.
const BATCH: usize = 16;

/// Bytes that are read between two times, as large as last caches of processors' parts are.
const OTHER_BYTES: u64 = 64 << 20;

/// Reading files of one size, already open.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FileReads {
    /// Their size.
    pub bytes: u64,
    /// Opening and closing one, its folder and inode in memory.
    pub open_close: Figure,
    /// All of it in the page cache.
    pub cached: Figure,
    /// None of it in the page cache; nothing where files cannot be evicted.
    pub uncached: Option<Figure>,
}

/// Measures each size.
///
/// # Errors
/// When a file cannot be read or evicted.
pub(crate) fn measure(
    scratch: &Scratch,
    sampling: &Sampling,
) -> Result<Vec<FileReads>, ProbeError> {
    let sets = scratch.sets.iter();
    let one = |set: &FileSet| {
        let bytes = set.sizes[0];
        let uncached = scratch.is_evictable.then(|| uncached(set, sampling));
        Ok(FileReads {
            bytes,
            uncached: uncached.transpose()?,
            cached: cached(set, scratch, sampling)?,
            open_close: open_close(set, sampling)?,
        })
    };
    sets.map(one).collect()
}

/// Files far apart in turn, each evicted just before.
fn uncached(set: &FileSet, sampling: &Sampling) -> Result<Figure, ProbeError> {
    let bytes = set.sizes[0];
    let order: Vec<usize> = spread(set.files).collect();
    let mut buffer = buffer(bytes);
    sampling.figure(|number| {
        let path = set.file(bytes, order[number % order.len()]);
        evict_surely(&path)?;
        let file = File::open(&path).on("open", &path)?;
        time_us(|| read(&file, &path, &mut buffer))
    })
}

/// The same few files again and again, and between two times a large file: whoever serves many files finds few of them in the
/// processor's caches.
fn cached(set: &FileSet, scratch: &Scratch, sampling: &Sampling) -> Result<Figure, ProbeError> {
    let bytes = set.sizes[0];
    let mut buffer = buffer(bytes);
    let paths: Vec<_> = (0..set.files.min(BATCH))
        .map(|n| set.file(bytes, n))
        .collect();
    let open = |path| File::open(path).on("open", path);
    let files: Vec<File> = paths.iter().map(open).collect::<Result<_, _>>()?;
    sampling.figure(|_| {
        let mut pairs = files.iter().zip(&paths);
        pairs.try_for_each(|(file, path)| scratch.load(file, path))?;
        read_other(&scratch.large)?;
        let took = time_us(|| {
            let mut pairs = files.iter().zip(&paths);
            pairs.try_for_each(|(file, path)| read(file, path, &mut buffer))
        });
        Ok(took? / files.len() as f64)
    })
}

/// The same few files again and again.
fn open_close(set: &FileSet, sampling: &Sampling) -> Result<Figure, ProbeError> {
    let bytes = set.sizes[0];
    let paths: Vec<_> = (0..set.files.min(BATCH))
        .map(|number| set.file(bytes, number))
        .collect();
    sampling.figure(|_| {
        let open = |path: &std::path::PathBuf| Ok(File::open(path).map(drop).on("open", path)?);
        Ok(time_us(|| paths.iter().try_for_each(open))? / paths.len() as f64)
    })
}

/// Reads other bytes, at most [`OTHER_BYTES`].
fn read_other(path: &Path) -> Result<(), ProbeError> {
    let file = File::open(path).on("open", path)?;
    let copied = io::copy(&mut file.take(OTHER_BYTES), &mut io::sink());
    Ok(copied.map(drop).on("read", path)?)
}

fn read(file: &File, path: &Path, buffer: &mut [u8]) -> Result<(), ProbeError> {
    Ok(file.read_exact_at(buffer, 0).on("read", path)?)
}
