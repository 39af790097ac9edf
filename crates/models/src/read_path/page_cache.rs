//! The page cache, by extents of files: what is in memory, and what is on its way there.

use std::ops::Range;

use hotset_cache::{CacheError, LinuxPageCache, PAGE_BYTES};

use super::read_ahead::{LARGEST_REQUEST_BYTES, Window};
use super::{Device, ReadAhead};

/// Most pages of an extent: the cache follows files in blocks of as many.
const MOST_PAGES: u64 = 16;

/// A file that is read.
#[derive(Clone, Copy, Debug)]
struct File {
    /// Its first extent.
    first: u32,
    extents: u64,
    pages: u64,
}

/// The page cache.
pub(crate) struct PageCache {
    cache: LinuxPageCache,
    files: Vec<File>,
    extent_pages: u64,
    /// When each extent was, or will be, in memory.
    arrival_ns: Vec<u64>,
    /// Whether coming to the extent has the next window read (`PG_readahead`).
    marked: Vec<bool>,
}

impl PageCache {
    /// An empty cache of `memory_bytes` for files of so many bytes, of which readers want multiples of `unit_bytes`.
    ///
    /// # Errors
    /// Files of more than 16 TiB in all, less where small parts of them are read.
    pub fn new(memory_bytes: u64, sizes: &[u64], unit_bytes: u64) -> Result<Self, CacheError> {
        let extent_pages = extent_pages(unit_bytes);
        let (mut files, mut extents) = (Vec::new(), Vec::new());
        for pages in sizes.iter().map(|bytes| bytes.div_ceil(PAGE_BYTES)) {
            let count = pages.div_ceil(extent_pages);
            // Before anything is allocated, as the number comes from a file.
            check(extents.len() as u64, count, extent_pages)?;
            files.push(File {
                first: extents.len() as u32,
                extents: count,
                pages,
            });
            extents.extend((0..count).map(|it| extent_pages.min(pages - it * extent_pages)));
        }
        Ok(Self {
            cache: LinuxPageCache::new(memory_bytes / PAGE_BYTES, &extents)?,
            arrival_ns: vec![0; extents.len()],
            marked: vec![false; extents.len()],
            files,
            extent_pages,
        })
    }

    /// Bytes of an extent.
    pub fn extent_bytes(&self) -> u64 {
        self.extent_pages * PAGE_BYTES
    }

    /// Has all of `file` in memory, as far as it fits.
    pub fn fill(&mut self, file: u32) {
        self.extents(file)
            .for_each(|extent| self.cache.fetch(extent));
    }

    /// Drops all of `file`.
    pub fn forget(&mut self, file: u32) {
        for extent in self.extents(file) {
            self.cache.forget(extent);
            self.marked[extent as usize] = false;
            self.arrival_ns[extent as usize] = 0;
        }
    }

    /// A reader comes to the extent at `offset` of `file` and wants `wanted_bytes` from there: what read-ahead makes of it is
    /// asked of the `device`. When the extent is in memory; at once if it was there.
    pub fn reach(
        &mut self,
        now_ns: u64,
        file: u32,
        offset: u64,
        wanted_bytes: u64,
        ahead: &mut ReadAhead,
        device: &mut Device,
    ) -> u64 {
        let extent = self.extent(file, offset);
        let page = offset / PAGE_BYTES;
        let wanted = (offset + wanted_bytes).div_ceil(PAGE_BYTES) - page;
        let window = if !self.cache.holds(extent) {
            Some(ahead.miss(page, wanted, |most| self.cached_before(file, page, most)))
        } else if std::mem::take(&mut self.marked[extent as usize]) {
            ahead.reach(page, wanted, |most| self.cached_after(file, page, most))
        } else {
            None
        };
        if let Some(window) = window {
            self.load(now_ns, file, window, ahead.streams(), device);
        }
        self.arrival_ns[extent as usize].max(now_ns)
    }

    /// Copies the extent at `offset` of `file` to a reader.
    pub fn copy(&mut self, file: u32, offset: u64) {
        self.cache.touch(self.extent(file, offset));
    }

    /// Asks the `device` for what `window` lacks, run by run.
    fn load(&mut self, now_ns: u64, file: u32, window: Window, streams: bool, device: &mut Device) {
        let first = window.start / self.extent_pages;
        let end = (window.start + window.pages).div_ceil(self.extent_pages);
        let end = end.min(self.files[file as usize].extents);
        let mut run = first..first;
        for number in first..end {
            let extent = self.files[file as usize].first + number as u32;
            if self.cache.holds(extent) || self.bytes_of(file, &run) >= LARGEST_REQUEST_BYTES {
                self.request(now_ns, file, run, streams, device);
                run = number..number;
            }
            if self.cache.holds(extent) {
                run = number + 1..number + 1;
            } else {
                run.end = number + 1;
            }
        }
        self.request(now_ns, file, run, streams, device);
        let marked = window.marker.map(|page| page / self.extent_pages);
        if let Some(number) = marked.filter(|number| (first..end).contains(number)) {
            let extent = self.files[file as usize].first + number as u32;
            self.marked[extent as usize] = true;
        }
    }

    fn request(
        &mut self,
        now_ns: u64,
        file: u32,
        run: Range<u64>,
        streams: bool,
        device: &mut Device,
    ) {
        if run.is_empty() {
            return;
        }
        let (offset, bytes) = (run.start * self.extent_bytes(), self.bytes_of(file, &run));
        let arrival_ns = device.read(now_ns, file, offset, bytes, streams);
        for number in run {
            let extent = self.files[file as usize].first + number as u32;
            self.cache.fetch(extent);
            self.arrival_ns[extent as usize] = arrival_ns;
            self.marked[extent as usize] = false;
        }
    }

    fn bytes_of(&self, file: u32, run: &Range<u64>) -> u64 {
        let end = (run.end * self.extent_pages).min(self.files[file as usize].pages);
        end.saturating_sub(run.start * self.extent_pages) * PAGE_BYTES
    }

    /// Pages in memory right before `page`, at most so many.
    fn cached_before(&self, file: u32, page: u64, most: u64) -> u64 {
        let first = self.files[file as usize].first;
        let number = page / self.extent_pages;
        let before = (0..number)
            .rev()
            .take(most.div_ceil(self.extent_pages) as usize);
        let cached = before.take_while(|&it| self.cache.holds(first + it as u32));
        (cached.count() as u64 * self.extent_pages).min(most)
    }

    /// Pages in memory right behind `page`; nothing when there are `most`.
    fn cached_after(&self, file: u32, page: u64, most: u64) -> Option<u64> {
        let File { first, extents, .. } = self.files[file as usize];
        let number = page / self.extent_pages;
        let after = (number + 1..extents).take(most.div_ceil(self.extent_pages) as usize);
        let cached = after.take_while(|&it| self.cache.holds(first + it as u32));
        let pages = (cached.count() as u64 + 1) * self.extent_pages - 1;
        (pages < most).then_some(pages)
    }

    fn extent(&self, file: u32, offset: u64) -> u32 {
        self.files[file as usize].first + (offset / self.extent_bytes()) as u32
    }

    fn extents(&self, file: u32) -> Range<u32> {
        let File { first, extents, .. } = self.files[file as usize];
        first..first + extents as u32
    }
}

/// The largest power of two of pages, at most [`MOST_PAGES`], that divides what readers want.
fn extent_pages(unit_bytes: u64) -> u64 {
    let pages = unit_bytes / PAGE_BYTES;
    match unit_bytes.is_multiple_of(PAGE_BYTES) && pages > 0 {
        true => (1 << pages.trailing_zeros()).min(MOST_PAGES),
        false => 1,
    }
}

/// Most extents of all files together, as [`LinuxPageCache::new`] has it.
const MOST_EXTENTS: u64 = 1 << 27;

fn check(before: u64, more: u64, extent_pages: u64) -> Result<(), CacheError> {
    match before.saturating_add(more) <= MOST_EXTENTS {
        true => Ok(()),
        false => Err(CacheError::TooManyPages {
            pages: before.saturating_add(more).saturating_mul(extent_pages),
            most: MOST_EXTENTS * extent_pages,
        }),
    }
}
