//! The files that are written to be measured, and what of them is in memory.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use hotset_machine::temporary::TemporaryFolder;
use hotset_machine::{OnFile, Residency};
use hotset_scenario::PageKeeping;
use rustix::fs::{Advice, fadvise, statvfs};

use crate::file_set::{FileSet, content};
use crate::keeping::keeping_of;
use crate::sampling::Sampling;
use crate::{Probe, ProbeError};

/// What the folder of the files is called, with a dot before and random characters behind.
const NAME: &str = "probe";
/// Written at once into the large file, bytes.
const PIECE_BYTES: u64 = 1 << 20;
/// Pages that are being read or written, or that another processor is about to put on a list, are not evicted at once: two
/// seconds, for slow disks of busy machines.
const EVICTIONS: usize = 1000;
const PAUSE: Duration = Duration::from_millis(2);
/// So often a file is read that does not stay in memory.
const LOADS: usize = 50;

/// A folder of files in the directory that is measured. It is removed with everything in it when dropped; what a killed
/// process left is removed by the next one.
pub(crate) struct Scratch {
    folder: TemporaryFolder,
    /// Small and medium files, a set for each size.
    pub sets: Vec<FileSet>,
    /// A file that is read block by block.
    pub large: PathBuf,
    /// Whether the page cache gives files of this file system up. Those of a memory file system have no other place.
    pub is_evictable: bool,
    /// How long it keeps what was read.
    pub keeping: PageKeeping,
}

impl Scratch {
    /// Writes the files.
    ///
    /// # Errors
    /// A directory that takes no files, or too few.
    pub fn write(probe: &Probe, directory: &Path, sampling: &Sampling) -> Result<Self, ProbeError> {
        // What a killed process left goes first: it takes as much room.
        let folder = TemporaryFolder::beside(&directory.join(NAME), |_| {});
        let folder = folder.map_err(|source| ProbeError::Unwritable {
            folder: directory.to_owned(),
            // Without the temporary name that it is about.
            source: source.kind().into(),
        })?;
        check_room(directory, probe.bytes())?;
        let set = |&(bytes, files): &(u64, usize)| FileSet {
            folder: folder.path().to_owned(),
            sizes: vec![bytes],
            files,
        };
        let mut scratch = Self {
            sets: probe.files.iter().map(set).collect(),
            large: folder.path().join("large"),
            folder,
            is_evictable: true,
            keeping: PageKeeping::Kept,
        };
        for set in &scratch.sets {
            sampling.go_on()?;
            set.write()?;
            settle(set)?;
        }
        write_large(&scratch.large, probe.large_bytes, sampling)?;
        scratch.is_evictable = evict(&scratch.large)?;
        scratch.keeping = keeping_of(&scratch.large)?;
        Ok(scratch)
    }

    /// Has all of an open file in the page cache, where that keeps anything.
    pub fn load(&self, file: &File, path: &Path) -> Result<(), ProbeError> {
        match self.keeping {
            PageKeeping::Never => Ok(()),
            PageKeeping::Kept | PageKeeping::UntilOpened => load_open(file, path),
        }
    }

    /// As [`Scratch::load`], for a file that is opened for it.
    pub fn load_anew(&self, path: &Path) -> Result<(), ProbeError> {
        self.load(&File::open(path).on("open", path)?, path)
    }

    /// A path for another file.
    pub fn other(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

fn check_room(directory: &Path, needed_bytes: u64) -> Result<(), ProbeError> {
    let found = statvfs(directory).map_err(io::Error::from);
    let found = found.on("look up the file system of", directory)?;
    let free_bytes = found.f_bavail.saturating_mul(found.f_frsize);
    if free_bytes < needed_bytes {
        let folder = directory.to_owned();
        return Err(ProbeError::NoRoom {
            folder,
            needed_bytes,
            free_bytes,
        });
    }
    Ok(())
}

/// Has a set's files written to where they stay: pages that are to be written cannot be evicted.
fn settle(set: &FileSet) -> Result<(), ProbeError> {
    let paths = set.sizes.iter();
    let mut paths = paths.flat_map(|&bytes| (0..set.files).map(move |n| set.file(bytes, n)));
    paths.try_for_each(|path| {
        let file = File::open(&path).on("open", &path)?;
        Ok(file.sync_all().on("write", &path)?)
    })
}

fn write_large(path: &Path, bytes: u64, sampling: &Sampling) -> Result<(), ProbeError> {
    let piece = content(PIECE_BYTES);
    let mut file = File::create(path).on("make", path)?;
    let mut left = bytes;
    while left > 0 {
        sampling.go_on()?;
        let length = left.min(PIECE_BYTES);
        file.write_all(&piece[..length as usize])
            .on("write", path)?;
        left -= length;
    }
    Ok(file.sync_all().on("write", path)?)
}

/// Drops a file's pages from the page cache, and asks the kernel whether any is left.
///
/// # Errors
/// When the kernel does not tell.
pub(crate) fn evict(path: &Path) -> Result<bool, ProbeError> {
    let file = File::open(path).on("open", path)?;
    for _ in 0..EVICTIONS {
        fadvise(&file, 0, None, Advice::DontNeed)
            .map_err(io::Error::from)
            .on("evict", path)?;
        let residency = Residency::of(&file).on("count cached pages of", path)?;
        if residency.resident == 0 {
            return Ok(true);
        }
        thread::sleep(PAUSE);
    }
    Ok(false)
}

/// As [`evict`], for a file that has to be gone.
///
/// # Errors
/// When it is not.
pub(crate) fn evict_surely(path: &Path) -> Result<(), ProbeError> {
    match evict(path)? {
        true => Ok(()),
        false => Err(ProbeError::NotEvicted(path.to_owned())),
    }
}

/// Removes what killed processes left in `directory`. What cannot be removed is in nobody's way.
pub fn sweep(directory: &Path) {
    // Making a folder sweeps; it is removed at once.
    let _made = TemporaryFolder::beside(&directory.join(NAME), |_| {});
}

/// Reads a file into the page cache unless all of it is there, and asks the kernel whether it stays.
///
/// # Errors
/// When part of it does not stay.
pub fn load_surely(path: &Path) -> Result<(), ProbeError> {
    load_open(&File::open(path).on("open", path)?, path)
}

/// As [`load_surely`], through a file that is open: on some mounts opening it anew has its pages dropped.
///
/// # Errors
/// As there.
pub(crate) fn load_open(mut file: &File, path: &Path) -> Result<(), ProbeError> {
    for _ in 0..LOADS {
        let residency = Residency::of(file).on("count cached pages of", path)?;
        if residency.is_whole() {
            return Ok(());
        }
        file.rewind().on("read", path)?;
        io::copy(&mut file, &mut io::sink()).on("read", path)?;
    }
    Err(ProbeError::NotCached(path.to_owned()))
}

/// A buffer that the kernel has already given: giving it would count as reading.
pub(crate) fn buffer(bytes: u64) -> Vec<u8> {
    vec![1; bytes as usize]
}

/// An empty file to be written.
pub(crate) fn create(path: &Path) -> Result<File, ProbeError> {
    let options = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .open(path);
    Ok(options.on("make", path)?)
}

/// Removes a file.
pub(crate) fn remove(path: &Path) -> Result<(), ProbeError> {
    Ok(fs::remove_file(path).on("remove", path)?)
}
