//! Which memory group a file's pages are charged to.

use crate::cgroup::MemoryGroup;
use crate::{FileMapping, memory};
use rustix::fs::fstat;
use std::fs::{self, File};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::{FileExt as _, MetadataExt as _};

/// Both tables of the kernel have one number of 64 bits for each page (Documentation/admin-guide/mm/pagemap.rst).
const ENTRY_BYTES: usize = size_of::<u64>();
/// Bits of an entry of /proc/self/pagemap that say which page of the machine's memory it is.
const FRAME: u64 = (1 << 55) - 1;
/// The bit that says that it is one.
const PRESENT: u64 = 1 << 63;
/// Entries that are read at a time.
const BATCH: usize = 512;

/// Whether all pages of an open file are in memory, charged to this very group. What is not in memory is read in the name of the
/// caller, so that only files should be asked for that are.
///
/// # Errors
/// When the kernel does not tell: it takes `CAP_SYS_ADMIN`, Linux 5.14, and a kernel with `CONFIG_PROC_PAGE_MONITOR`.
pub fn is_charged_to(file: impl AsFd, group: &MemoryGroup) -> io::Result<bool> {
    let group = fs::metadata(group.path())?.ino();
    let length = usize::try_from(fstat(&file)?.st_size).map_err(io::Error::other)?;
    if length == 0 {
        return Ok(true);
    }
    let mapping = FileMapping::of_length(file, length)?;
    mapping.populate()?;
    all_pages(mapping.address(), length, group)
}

/// Whether all pages of this process from an address on are charged to the group with this inode.
fn all_pages(address: usize, length: usize, group: u64) -> io::Result<bool> {
    let page_bytes = memory::page_bytes() as usize;
    let frames = File::open("/proc/self/pagemap")?;
    let groups = File::open("/proc/kpagecgroup")?;
    let (first, pages) = (address / page_bytes, length.div_ceil(page_bytes));
    for begin in (0..pages).step_by(BATCH) {
        let wanted = BATCH.min(pages - begin);
        for frame in entries(&frames, first + begin, wanted)? {
            let is_known = frame & PRESENT != 0 && frame & FRAME != 0;
            if !is_known || entries(&groups, (frame & FRAME) as usize, 1)? != [group] {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Entries of a table, from a number on.
fn entries(table: &File, number: usize, count: usize) -> io::Result<Vec<u64>> {
    let mut bytes = vec![0; count * ENTRY_BYTES];
    table.read_exact_at(&mut bytes, (number * ENTRY_BYTES) as u64)?;
    let (words, _) = bytes.as_chunks::<ENTRY_BYTES>();
    Ok(words.iter().map(|word| u64::from_ne_bytes(*word)).collect())
}
