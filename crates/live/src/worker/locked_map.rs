//! A whole file, locked in memory by a mapping of it.
#![allow(
    unsafe_code,
    reason = "mapping and locking have no safe wrapper; see `LockedMap`"
)]

use rustix::io::Errno;
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mlock, mmap, munmap};
use std::ffi::c_void;
use std::os::fd::AsFd;
use std::ptr;

/// A mapping whose pages the kernel keeps in memory until it is dropped. Nobody can get at its address, and nothing ever
/// touches its pages: a file that is cut short under it does no harm.
#[derive(Debug)]
pub(super) struct LockedMap {
    address: *mut c_void,
    length: usize,
}

impl LockedMap {
    /// Reads the first `length` bytes of the file into memory, in the name of the calling process, and locks them there. It is
    /// not an error to lock an empty file.
    pub fn new(file: impl AsFd, length: usize) -> Result<Self, Errno> {
        if length == 0 {
            let address = ptr::null_mut();
            return Ok(Self { address, length });
        }
        // SAFETY: a new mapping, at an address that the kernel chooses, overlaps nothing of this process. No reference into
        // it is ever made.
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
        let map = Self { address, length };
        // Pages that lie in memory in large pieces are counted as locked only if they are mapped before they are locked
        // (mm/mlock.c, `mlock_pte_range`). Kernels before 5.14 know neither this advice nor such pieces.
        // SAFETY: exactly the range that was mapped above; it is read into memory, and nothing else happens to it.
        let _populated = unsafe { madvise(map.address, map.length, Advice::LinuxPopulateRead) };
        // SAFETY: exactly the range that was mapped above. Locking reads its pages into memory and changes none; pages that
        // cannot be read, such as those beyond the end of the file, are an error and no signal (mlock(2)).
        unsafe { mlock(map.address, map.length)? };
        Ok(map)
    }
}

impl Drop for LockedMap {
    fn drop(&mut self) {
        if self.length > 0 {
            // SAFETY: exactly the range that `new` mapped, which nothing refers to. Unmapping unlocks it.
            let _unmapped = unsafe { munmap(self.address, self.length) };
        }
    }
}
