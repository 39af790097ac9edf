//! How much of a file, or of a whole tree, is in the page cache: the proof that a cache is empty.
#![allow(
    unsafe_code,
    reason = "cachestat(2) has no safe wrapper yet; see `system_call`"
)]

use crate::{MachineError, OnFile};
use rustix::fs::fstatfs;
use rustix::io::Errno;
use std::fs::{self, File};
use std::io;
use std::ops::AddAssign;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::path::Path;

/// The same number on every architecture (linux/include/uapi/asm-generic/unistd.h, since 6.5).
const CACHESTAT: libc::c_long = 451;

/// File systems whose files keep their pages in files of another one, of which this call knows nothing: it finds none of an
/// overlay's (`OVERLAYFS_SUPER_MAGIC`, `include/uapi/linux/magic.h`; `filemap_cachestat`, `mm/filemap.c`).
const OVERLAY: u64 = 0x794c_7630;

/// `struct cachestat_range` of linux/mman.h.
#[repr(C)]
struct Range {
    offset: u64,
    /// Zero: to the end of the file.
    length: u64,
}

/// Pages of files, as `struct cachestat` of linux/mman.h has them.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CachedPages {
    /// In memory.
    pub cached: u64,
    /// Of these, changed and not yet being written.
    pub dirty: u64,
    /// Of these, being written.
    pub writeback: u64,
    /// Evicted from memory earlier.
    pub evicted: u64,
    /// Of these, so lately that the memory would have had room for them had it been a little larger.
    pub recently_evicted: u64,
}

impl CachedPages {
    /// Bytes in memory, in whole pages.
    #[must_use]
    pub fn resident_bytes(&self) -> u64 {
        self.cached * crate::memory::page_bytes()
    }
}

impl AddAssign for CachedPages {
    fn add_assign(&mut self, other: Self) {
        self.cached += other.cached;
        self.dirty += other.dirty;
        self.writeback += other.writeback;
        self.evicted += other.evicted;
        self.recently_evicted += other.recently_evicted;
    }
}

/// The pages of one file, without touching them.
///
/// # Errors
/// When it cannot be opened, and those of [`of_open_file`].
pub fn of_file(path: &Path) -> Result<CachedPages, MachineError> {
    let file = File::open(path).on("open", path)?;
    of_open_file(&file).on("count cached pages of", path)
}

/// The pages of all regular files below a directory; symbolic links are not followed.
///
/// # Errors
/// As [`of_file`].
pub fn of_tree(directory: &Path) -> Result<CachedPages, MachineError> {
    let mut total = CachedPages::default();
    for entry in fs::read_dir(directory).on("read", directory)? {
        let entry = entry.on("read", directory)?;
        let kind = entry.file_type().on("look up", entry.path())?;
        if kind.is_dir() {
            total += of_tree(&entry.path())?;
        } else if kind.is_file() {
            total += of_file(&entry.path())?;
        }
    }
    Ok(total)
}

/// The pages of an open file.
///
/// # Errors
/// When the kernel is older than 6.5, or does not tell the caller, and for files of an overlay (`EOPNOTSUPP`).
pub fn of_open_file(file: impl AsFd) -> io::Result<CachedPages> {
    let file = file.as_fd();
    // Magic numbers have 32 bits, and the kernel's type for them is signed on some machines.
    match u64::from(fstatfs(file)?.f_type as u32) {
        OVERLAY => Err(Errno::OPNOTSUPP.into()),
        _ => system_call(file),
    }
}

fn system_call(file: BorrowedFd<'_>) -> io::Result<CachedPages> {
    let range = Range {
        offset: 0,
        length: 0,
    };
    let mut pages = CachedPages::default();
    // SAFETY: cachestat(fd, range, pages, flags) reads one `struct cachestat_range` and writes one `struct
    // cachestat`. Both pointers are to live local values of `repr(C)` types with those structures' layout (two
    // and five `u64`), aligned for them and not aliased during the call; the descriptor is open for as long as it is
    // borrowed; flags must be 0. A kernel without the call returns ENOSYS and touches nothing.
    let result = unsafe {
        libc::syscall(
            CACHESTAT,
            file.as_raw_fd(),
            &raw const range,
            &raw mut pages,
            0 as libc::c_uint,
        )
    };
    if result == 0 {
        Ok(pages)
    } else {
        Err(io::Error::last_os_error())
    }
}
