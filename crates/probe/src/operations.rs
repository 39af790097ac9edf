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
/// What is written before a file is cut, and before it is synced, bytes.
const WRITTEN_BYTES: u64 = 4 << 10;
/// Figures that [`measure`] makes.
pub(crate) const FIGURES: usize = 8;

/// An operation and what it takes.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Operation {
    /// `open and close`, `stat`, `create`, `unlink`, `rename`, `mkdir`, `truncate` of 4 KiB, or `fsync` after 4 KiB at the end of a file.
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
    keep("rename", rename(&paths, scratch, sampling)?);
    keep("mkdir", make_folders(scratch, sampling)?);
    keep("truncate", cut(&paths, sampling)?);
    keep("fsync", sync(scratch, sampling)?);
    Ok(found)
}

/// To another name in the same folder.
fn rename(paths: &[PathBuf], scratch: &Scratch, sampling: &Sampling) -> Result<Figure, ProbeError> {
    let others: Vec<PathBuf> = (0..paths.len())
        .map(|number| scratch.other(&format!("renamed-{number}")))
        .collect();
    sampling.figure(|_| {
        let took = time_us(|| rename_all(paths, &others))?;
        rename_all(&others, paths)?;
        Ok(took / paths.len() as f64)
    })
}

fn rename_all(from: &[PathBuf], to: &[PathBuf]) -> Result<(), ProbeError> {
    let mut pairs = from.iter().zip(to);
    pairs.try_for_each(|(from, to)| Ok(fs::rename(from, to).on("rename", from)?))
}

fn make_folders(scratch: &Scratch, sampling: &Sampling) -> Result<Figure, ProbeError> {
    let paths: Vec<PathBuf> = (0..BATCH)
        .map(|number| scratch.other(&format!("folder-{number}")))
        .collect();
    let make = |path: &PathBuf| Ok(fs::create_dir(path).on("make", path)?);
    sampling.figure(|_| {
        let took = time_us(|| paths.iter().try_for_each(make))?;
        for path in &paths {
            fs::remove_dir(path).on("remove", path)?;
        }
        Ok(took / BATCH as f64)
    })
}

/// Files of 4 KiB to nothing, just written.
fn cut(paths: &[PathBuf], sampling: &Sampling) -> Result<Figure, ProbeError> {
    let buffer = buffer(WRITTEN_BYTES);
    let mut files = Vec::new();
    for path in paths {
        let file = OpenOptions::new().write(true).open(path);
        files.push((file.on("open", path)?, path));
    }
    sampling.figure(|_| {
        for (file, path) in &files {
            file.write_all_at(&buffer, 0).on("write", *path)?;
        }
        let took = time_us(|| {
            let mut files = files.iter();
            files.try_for_each(|(file, path)| Ok(file.set_len(0).on("cut", *path)?))
        });
        Ok(took? / files.len() as f64)
    })
}

/// What it takes until 4 KiB more of a file are where they survive.
fn sync(scratch: &Scratch, sampling: &Sampling) -> Result<Figure, ProbeError> {
    let path = scratch.other("synced");
    let file = create(&path)?;
    let buffer = buffer(WRITTEN_BYTES);
    sampling.figure(|number| {
        let place = (number * buffer.len()) as u64;
        file.write_all_at(&buffer, place).on("write", &path)?;
        time_us(|| Ok(file.sync_all().on("write", &path)?))
    })
}
