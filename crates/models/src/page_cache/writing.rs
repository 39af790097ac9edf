//! Pages that programs write to: dirty at first, then under write-back, then as good as read.

use std::ops::Range;

use hotset_cache::PAGE_BYTES;

use super::cache::{MissingRun, PageCache};
use super::dirty::UnwrittenPages;

impl PageCache {
    /// A program has written all of the extent at `offset` of `file`; how many pages became dirty thereby. Writing is no access that
    /// keeps a page in memory longer (Linux since 4.7: `__filemap_get_folio` without `FGP_ACCESSED`).
    pub fn write(&mut self, now_ns: u64, file: u32, offset: u64) -> u64 {
        let extent = self.extent(file, offset);
        if self.unwritten.is_dirty(extent) {
            return 0;
        }
        if !self.holds(extent) {
            self.add_written(now_ns, file, offset);
        }
        let number = self.extent_number(offset);
        let pages = self.pages_of(file, number);
        let extents = self.all_extents();
        self.unwritten.dirty(file, extent, pages, extents);
        self.set_unwritten(extent, true);
        pages
    }

    /// Takes dirty extents of `file` that lie side by side, from the one with the number `next` on, and before the extent `end`; returns their
    /// pages. It takes no more than so many bytes, unless the first has more. What is written for them is added to `runs`, and `next` goes on
    /// behind them. Nothing is left where it takes no page.
    ///
    /// Where an extent lies in several places, its pages count as written when the last of them is.
    pub fn take_dirty(
        &mut self,
        file: u32,
        (next, end): (&mut u64, u32),
        most_bytes: u64,
        runs: &mut Vec<MissingRun>,
    ) -> u64 {
        let extents = self.extents(file);
        let end = end.min(extents.end);
        let from = extents
            .start
            .saturating_add(u32::try_from(*next).unwrap_or(u32::MAX));
        let Some(first) = self.unwritten.first(from, end) else {
            return 0;
        };
        let (mut extent, mut pages) = (first, 0);
        let all = self.all_extents();
        while extent < end && self.unwritten.may_be_taken(extent) {
            let number = u64::from(extent - extents.start);
            let own_pages = self.pages_of(file, number);
            if extent > first && !self.follows(file, number, own_pages, runs, most_bytes) {
                break;
            }
            self.add_run(file, number, runs);
            self.unwritten.take(file, extent, own_pages, all);
            pages += own_pages;
            extent += 1;
        }
        *next = u64::from(extent - extents.start);
        if let Some((last, others)) = runs.split_last_mut() {
            others.iter_mut().for_each(|run| run.extents = 0..0);
            last.extents = first..extent;
        }
        pages
    }

    /// Whether all of an extent lies behind the only run, and fits to it.
    fn follows(
        &self,
        file: u32,
        number: u64,
        pages: u64,
        runs: &[MissingRun],
        most_bytes: u64,
    ) -> bool {
        let [run] = runs else {
            return false;
        };
        let (offset, side_by_side) = self.place_of(file, number);
        run.offset + run.bytes == offset
            && side_by_side >= pages
            && run.bytes + pages * PAGE_BYTES <= most_bytes
    }

    /// What was taken of `file` has reached the device.
    pub fn written(&mut self, file: u32, extents: Range<u32>) {
        let first = self.extents(file).start;
        for extent in extents {
            let pages = self.pages_of(file, u64::from(extent - first));
            self.unwritten.end(extent, pages);
            if !self.unwritten.is_dirty(extent) {
                self.set_unwritten(extent, false);
            }
        }
    }

    /// Nothing of `file` has data yet.
    pub fn empty(&mut self, file: u32) {
        let all = self.all_extents();
        self.unwritten.set_fresh(self.extents(file), all);
    }

    /// Of `extents` of `file`, takes those that never had data for ones that have; the page that each begins with.
    pub fn take_fresh(&mut self, file: u32, extents: Range<u32>) -> Vec<u64> {
        let (first, extent_pages) = (self.extents(file).start, self.extent_pages());
        let fresh = extents.filter(|&extent| self.unwritten.take_fresh(extent));
        fresh
            .map(|extent| u64::from(extent - first) * extent_pages)
            .collect()
    }

    /// The extents of `file` that some bytes of it are in.
    pub fn extents_of(&self, file: u32, bytes: Range<u64>) -> Range<u32> {
        match bytes.is_empty() {
            true => 0..0,
            false => self.extent(file, bytes.start)..self.extent(file, bytes.end - 1) + 1,
        }
    }

    /// The same as far as the file has them, and the number of the first among those of its file.
    pub fn part_of(&self, file: u32, bytes: &Range<u64>) -> (Range<u32>, u64) {
        let all = self.extents(file);
        let count = u64::from(all.end - all.start);
        let first = self.extent_number(bytes.start).min(count);
        let end = match bytes.is_empty() {
            true => first,
            false => bytes.end.div_ceil(self.extent_bytes()).clamp(first, count),
        };
        (all.start + first as u32..all.start + end as u32, first)
    }

    /// Whether some of `extents` of `file` are dirty.
    pub fn has_dirty(&self, file: u32, extents: &Range<u32>) -> bool {
        self.dirty_pages_of(file) > 0 && self.unwritten.has_dirty(extents)
    }

    /// Whether a byte of `file` is in memory.
    #[inline]
    pub fn has(&self, file: u32, offset: u64) -> bool {
        self.holds(self.extent(file, offset))
    }

    /// Whether a byte of `file` is where nothing ever had data.
    pub fn is_fresh(&self, file: u32, offset: u64) -> bool {
        self.unwritten.is_fresh(self.extent(file, offset))
    }

    /// Whether some of `extents` never had data.
    pub fn has_fresh(&self, extents: &Range<u32>) -> bool {
        extents
            .clone()
            .any(|extent| self.unwritten.is_fresh(extent))
    }

    /// Whether a write of `bytes` of `file` needs what else is in the page where it begins: the page has data, which is not in memory, and
    /// the write covers a part of it.
    pub fn lacks_rest(&self, file: u32, bytes: &Range<u64>) -> bool {
        let extent = self.extent(file, bytes.start);
        let start = self.extent_number(bytes.start) * self.extent_bytes();
        let file_end = self.file_pages(file) * PAGE_BYTES;
        let end = self.extent_end(bytes.start).min(file_end);
        let is_part = bytes.start > start || bytes.end < end;
        is_part && !self.holds(extent) && !self.unwritten.is_fresh(extent)
    }

    /// Pages of an extent, but for the last of a file.
    pub fn pages_of_extent(&self) -> u64 {
        self.extent_pages()
    }

    /// What has yet to reach the device.
    #[inline]
    pub fn unwritten_pages(&self) -> UnwrittenPages {
        self.unwritten.counts()
    }

    /// Dirty pages of `file` that are not under write-back, or were written to since that began.
    pub fn dirty_pages_of(&self, file: u32) -> u64 {
        self.unwritten.of_file(file)
    }
}
