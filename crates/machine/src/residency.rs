//! How much of an open file is in memory: by cachestat, or by mincore where the kernel is older than 6.5 and for files of an
//! overlay, as containers have them.

use crate::{FileMapping, cachestat, memory};
use rustix::fs::fstat;
use rustix::io::Errno;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

/// Pages of a file, and how many of them are in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residency {
    /// Pages that it has.
    pub pages: u64,
    /// Of these, in memory.
    pub resident: u64,
}

impl Residency {
    /// Of an open file, without touching its pages.
    ///
    /// # Errors
    /// When the kernel refuses: it tells only those who may write to the file, or own it.
    pub fn of(file: impl AsFd) -> io::Result<Self> {
        let file = file.as_fd();
        let bytes = u64::try_from(fstat(file)?.st_size).unwrap_or(0);
        let pages = bytes.div_ceil(memory::page_bytes());
        let resident = match cachestat::of_open_file(file) {
            Ok(counted) => counted.cached,
            Err(error) => match Errno::from_io_error(&error) {
                Some(Errno::NOSYS | Errno::OPNOTSUPP) => by_mincore(file, bytes)?,
                _ => return Err(error),
            },
        };
        // A huge page may reach beyond the end of the file.
        let resident = resident.min(pages);
        Ok(Self { pages, resident })
    }

    /// Whether all of it is in memory.
    #[must_use]
    pub fn is_whole(self) -> bool {
        self.resident == self.pages
    }
}

/// Pages of the file's first `bytes` bytes that are in memory. Those of a mapping that nobody touches stay as they are.
fn by_mincore(file: BorrowedFd<'_>, bytes: u64) -> io::Result<u64> {
    let length = usize::try_from(bytes).map_err(io::Error::other)?;
    match length {
        0 => Ok(0),
        _ => FileMapping::of_length(file, length)?.resident_pages(),
    }
}
