//! How much of an open file is in memory: by cachestat, or by mincore where the kernel is older than 6.5 and for files of an
//! overlay, as containers have them.
#![allow(
    unsafe_code,
    reason = "mincore(2) has no safe wrapper; see `by_mincore`"
)]

use crate::{cachestat, memory};
use rustix::fs::fstat;
use rustix::io::Errno;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::ptr;

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

/// Pages of the file's first `bytes` bytes that are in memory.
fn by_mincore(file: BorrowedFd<'_>, bytes: u64) -> io::Result<u64> {
    let length = usize::try_from(bytes).map_err(io::Error::other)?;
    if length == 0 {
        return Ok(0);
    }
    let mut pages = vec![0_u8; bytes.div_ceil(memory::page_bytes()) as usize];
    // SAFETY: the mapping is new, at an address of the kernel's choice, and nothing but mincore and munmap below is given
    // its address: its pages are never touched, so that it does not matter what becomes of the file.
    let mapped = unsafe {
        mmap(
            ptr::null_mut(),
            length,
            ProtFlags::READ,
            MapFlags::SHARED,
            file,
            0,
        )?
    };
    // SAFETY: mincore writes one byte for each page of `length` bytes from `mapped`, which `pages` has room for.
    let looked_up = match unsafe { libc::mincore(mapped, length, pages.as_mut_ptr()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    };
    // SAFETY: exactly what was mapped above, and nothing keeps a reference into it.
    unsafe { munmap(mapped, length)? };
    looked_up?;
    // Only the lowest bit means something (mincore(2)).
    Ok(pages.iter().filter(|page| **page & 1 == 1).count() as u64)
}
