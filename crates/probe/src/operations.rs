//! What everything but reading takes.

use std::fs::{self, File, OpenOptions};
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use hotset_machine::OnFile;
use serde::Serialize;

use crate::sampling::{Sampling, time_us};
use crate::scratch::{Scratch, buffer, create, remove};
use crate::{Figure, ProbeError};

/// Files that are opened, made or removed for one sample.
const BATCH: usize = 32;
/// What is written, bytes.
pub(crate) const WRITES: [(&str, u64); 2] = [("write 4K", 4 << 10), ("write 1M", 1 << 20)];
/// Length of the file that is written over and over, bytes.
const WRITTEN_BYTES: u64 = 16 << 20;
/// Figures that [`measure`] makes.
pub(crate) const FIGURES: usize = 7;

/// An operation and what it takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Operation {
    /// `open and close`, `stat`, `create`, `unlink`, `write 4K`, `write 1M` into the page cache, or `fsync` after 4 KiB.
    pub name: &'static str,
    /// What it takes.
    #[serde(flatten)]
    pub figure: Figure,
}

/// Measures all of them. Files that are opened have their folder and inode in memory.
///
/// # Errors
/// When the file system refuses one.
pub(crate) fn measure(
    scratch: &Scratch,
    sampling: &Sampling,
) -> Result<Vec<Operation>, ProbeError> {
    let paths: Vec<PathBuf> = (0..BATCH)
        .map(|number| scratch.other(&number.to_string()))
        .collect();
    let each = |deed: &dyn Fn(&PathBuf) -> Result<(), ProbeError>| {
        Ok(time_us(|| paths.iter().try_for_each(deed))? / BATCH as f64)
    };
    let make = |path: &PathBuf| create(path).map(drop);
    let open = |path: &PathBuf| Ok(File::open(path).map(drop).on("open", path)?);
    let stat = |path: &PathBuf| Ok(fs::metadata(path).map(drop).on("look up", path)?);
    let unlink = |path: &PathBuf| remove(path);
    let mut found = Vec::new();
    let mut keep = |name, figure| found.push(Operation { name, figure });
    let created = sampling.figure(|_| {
        let took = each(&make)?;
        each(&unlink)?;
        Ok(took)
    });
    let unlinked = sampling.figure(|_| {
        each(&make)?;
        each(&unlink)
    });
    let (created, unlinked) = (created?, unlinked?);
    each(&make)?;
    keep("open and close", sampling.figure(|_| each(&open))?);
    keep("stat", sampling.figure(|_| each(&stat))?);
    keep("create", created);
    keep("unlink", unlinked);
    for (name, bytes) in WRITES {
        keep(name, write(scratch, sampling, bytes)?);
    }
    keep("fsync", sync(scratch, sampling)?);
    Ok(found)
}

/// Writes into the page cache, over what was written before.
fn write(scratch: &Scratch, sampling: &Sampling, bytes: u64) -> Result<Figure, ProbeError> {
    let path = scratch.other("written");
    fs::write(&path, buffer(WRITTEN_BYTES)).on("write", &path)?;
    let file = OpenOptions::new().write(true).open(&path);
    let file = file.on("open", &path)?;
    let buffer = buffer(bytes);
    let places = WRITTEN_BYTES / bytes;
    let batch = (BATCH as u64).min(places);
    sampling.figure(|number| {
        let first = number as u64 * batch;
        let took = time_us(|| {
            (first..first + batch).try_for_each(|place| {
                let written = file.write_all_at(&buffer, place % places * bytes);
                Ok(written.on("write", &path)?)
            })
        });
        Ok(took? / batch as f64)
    })
}

/// What it takes until 4 KiB more of a file are where they survive.
fn sync(scratch: &Scratch, sampling: &Sampling) -> Result<Figure, ProbeError> {
    let path = scratch.other("synced");
    let file = create(&path)?;
    let buffer = buffer(WRITES[0].1);
    sampling.figure(|number| {
        let place = (number * buffer.len()) as u64;
        file.write_all_at(&buffer, place).on("write", &path)?;
        time_us(|| Ok(file.sync_all().on("write", &path)?))
    })
}
