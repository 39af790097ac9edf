//! A file that is mapped into memory, as `mmap` has it: to read it, to lock it there, to ask what of it is there.
#![allow(unsafe_code, reason = "mapping has no safe wrapper; see `FileMapping`")]

use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _};
use std::ptr;

use crate::memory::page_bytes;
use rustix::fs::fstat;
use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mlock, mmap, munmap};

/// A mapping of a file from its beginning. Its bytes are only ever copied, so that nobody holds a reference to what another
/// process may change. Where bytes are read, a file that is cut short under it ends the process (SIGBUS): read only files of one's own.
/// Nothing else touches its pages.
#[derive(Debug)]
pub struct FileMapping {
    address: *mut c_void,
    length: usize,
}

impl FileMapping {
    /// Maps all of `file`. None of its pages is in the page table yet.
    ///
    /// # Errors
    /// An empty file, and what mmap(2) says.
    pub fn of(file: &File) -> io::Result<Self> {
        match usize::try_from(fstat(file)?.st_size).map_err(io::Error::other)? {
            0 => Err(Errno::INVAL.into()),
            length => Ok(Self::of_length(file, length)?),
        }
    }

    /// Maps the first `length` bytes of a file, which may be none.
    ///
    /// # Errors
    /// What mmap(2) says.
    pub fn of_length(file: impl AsFd, length: usize) -> rustix::io::Result<Self> {
        let none = ptr::null_mut();
        let address = match length {
            0 => none,
            // SAFETY: a new mapping, at an address that the kernel chooses, overlaps nothing of this process. No reference into
            // it is ever made.
            _ => unsafe { mmap(none, length, ProtFlags::READ, MapFlags::SHARED, file, 0)? },
        };
        Ok(Self { address, length })
    }

    /// Reads it into memory, in the name of the calling process, and maps its pages. Kernels before 5.14 do not know this.
    ///
    /// # Errors
    /// What madvise(2) says, as of pages beyond the end of a file that was cut short.
    pub fn populate(&self) -> rustix::io::Result<()> {
        match self.length {
            0 => Ok(()),
            // SAFETY: exactly the range that was mapped; it is read into memory, and nothing else happens to it.
            _ => unsafe { madvise(self.address, self.length, Advice::LinuxPopulateRead) },
        }
    }

    /// Has the kernel keep its pages in memory until it is dropped. What of them is not there is read. Pages that lie in memory in
    /// large pieces are counted as locked only if they were populated before (mm/mlock.c, `mlock_pte_range`).
    ///
    /// # Errors
    /// What mlock(2) says.
    pub fn lock(&self) -> rustix::io::Result<()> {
        match self.length {
            0 => Ok(()),
            // SAFETY: exactly the range that was mapped. Locking reads its pages into memory and changes none; pages that
            // cannot be read, such as those beyond the end of the file, are an error and no signal (mlock(2)).
            _ => unsafe { mlock(self.address, self.length) },
        }
    }

    /// Its pages that are in memory.
    pub(crate) fn resident_pages(&self) -> io::Result<u64> {
        let mut pages = vec![0_u8; (self.length as u64).div_ceil(page_bytes()) as usize];
        // SAFETY: mincore writes one byte for each page of what was mapped, which `pages` has room for. It touches none of them.
        match unsafe { libc::mincore(self.address, self.length, pages.as_mut_ptr()) } {
            // Only the lowest bit means something (mincore(2)).
            0 => Ok(pages.iter().filter(|page| **page & 1 == 1).count() as u64),
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Where it is in this process.
    pub(crate) fn address(&self) -> usize {
        self.address as usize
    }

    /// Bytes of it.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.length as u64
    }

    /// Copies bytes from `offset` on.
    ///
    /// # Errors
    /// Bytes that the mapping does not have.
    pub fn copy(&self, offset: u64, to: &mut [u8]) -> io::Result<()> {
        let from = self.at(offset, to.len())?;
        // SAFETY: `at` has checked that all bytes are of the mapping. A buffer that is borrowed for writing cannot overlap it, as
        // nobody has a reference into it.
        unsafe { ptr::copy_nonoverlapping(from.cast::<u8>(), to.as_mut_ptr(), to.len()) };
        Ok(())
    }

    /// Writes up to `bytes` from `offset` on to a file or socket; how many it took.
    ///
    /// # Errors
    /// Bytes that the mapping does not have, and what write(2) says.
    pub fn write(&self, offset: u64, bytes: usize, to: impl AsFd) -> io::Result<usize> {
        let from = self.at(offset, bytes)?;
        // SAFETY: `at` has checked that all bytes are of the mapping. The kernel reads them and keeps no address.
        let written = unsafe { libc::write(to.as_fd().as_raw_fd(), from, bytes) };
        usize::try_from(written).map_err(|_| io::Error::last_os_error())
    }

    fn at(&self, offset: u64, bytes: usize) -> io::Result<*const c_void> {
        let start = usize::try_from(offset).ok();
        let start = start.filter(|start| {
            start
                .checked_add(bytes)
                .is_some_and(|end| end <= self.length)
        });
        let start = start.ok_or(io::ErrorKind::UnexpectedEof)?;
        Ok(self.address.wrapping_byte_add(start).cast_const())
    }
}

impl Drop for FileMapping {
    fn drop(&mut self) {
        if self.length > 0 {
            // SAFETY: exactly what was mapped, which nothing refers to. Unmapping unlocks it.
            let _unmapped = unsafe { munmap(self.address, self.length) };
        }
    }
}
