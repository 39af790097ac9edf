//! A file that is read through a mapping of it, as `mmap` has it.
#![allow(unsafe_code, reason = "mapping has no safe wrapper; see `FileMapping`")]

use std::ffi::c_void;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd as _};
use std::ptr;

use rustix::fs::fstat;
use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};

/// A mapping of a whole file. Its bytes are only ever copied, so that nobody holds a reference to what another process may
/// change. A file that is cut short under it ends the process (SIGBUS): map only files of one's own.
#[derive(Debug)]
pub struct FileMapping {
    address: *mut c_void,
    length: usize,
}

impl FileMapping {
    /// Maps `file`. None of its pages is in the page table yet.
    ///
    /// # Errors
    /// An empty file, and what mmap(2) says.
    pub fn of(file: &File) -> io::Result<Self> {
        let length = usize::try_from(fstat(file)?.st_size).map_err(io::Error::other)?;
        // SAFETY: a new mapping, at an address that the kernel chooses, overlaps nothing of this process. No reference into it is
        // ever made.
        let address = unsafe {
            mmap(
                ptr::null_mut(),
                length,
                ProtFlags::READ,
                MapFlags::SHARED,
                file,
                0,
            )?
        };
        Ok(Self { address, length })
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
        // SAFETY: exactly what `of` mapped, which nothing refers to.
        let _unmapped = unsafe { munmap(self.address, self.length) };
    }
}
