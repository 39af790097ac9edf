//! Which extents programs have written to, and which are on their way to the device.

use std::ops::Range;

use super::bits::Bits;

/// Pages that have yet to reach the device, and those that came and went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UnwrittenPages {
    /// Dirty pages that are not under write-back. One that is written to while it is under write-back is in both counts
    /// (`NR_FILE_DIRTY`, `NR_WRITEBACK`).
    pub dirty: u64,
    /// Pages under write-back.
    pub writing: u64,
    /// Pages that have become dirty so far (`WB_DIRTIED`).
    pub dirtied: u64,
    /// Pages that have been written so far (`WB_WRITTEN`).
    pub written: u64,
}

/// What is known of extents that programs have written to.
#[derive(Clone, Debug, Default)]
pub(super) struct DirtyExtents {
    dirty: Bits,
    writing: Bits,
    /// What never had data: the file system has yet to say where it is, or that there is data.
    fresh: Bits,
    /// Dirty pages of each file that was written to.
    of_files: Vec<u64>,
    counts: UnwrittenPages,
}

impl DirtyExtents {
    #[inline]
    pub fn counts(&self) -> UnwrittenPages {
        self.counts
    }

    pub fn of_file(&self, file: u32) -> u64 {
        self.of_files.get(file as usize).copied().unwrap_or(0)
    }

    /// Whether an extent has yet to reach the device.
    #[inline]
    pub fn is_unwritten(&self, extent: u32) -> bool {
        self.is_dirty(extent) || self.writing.has(u64::from(extent))
    }

    #[inline]
    pub fn is_dirty(&self, extent: u32) -> bool {
        self.dirty.has(u64::from(extent))
    }

    /// The first dirty extent from `from` on and before `end` that is not under write-back.
    pub fn first(&self, from: u32, end: u32) -> Option<u32> {
        let found = self.dirty.first(from.into(), end.into(), &self.writing);
        found.map(|it| it as u32)
    }

    /// Whether one of `extents` is dirty, under write-back or not.
    pub fn has_dirty(&self, extents: &Range<u32>) -> bool {
        let (from, end) = (u64::from(extents.start), u64::from(extents.end));
        self.dirty.first(from, end, &Bits::default()).is_some()
    }

    /// Whether an extent never had data.
    pub fn is_fresh(&self, extent: u32) -> bool {
        self.fresh.has(extent.into())
    }

    /// Whether it can be handed to the device now: nobody writes the same extent twice at a time.
    pub fn may_be_taken(&self, extent: u32) -> bool {
        self.is_dirty(extent) && !self.writing.has(u64::from(extent))
    }

    /// `extents` never had data; there are so many in all.
    pub fn set_fresh(&mut self, extents: Range<u32>, all: u64) {
        self.fresh.reach(all);
        for extent in extents {
            self.fresh.set(extent.into(), true);
        }
    }

    /// Whether an extent never had data; from now on it has.
    pub fn take_fresh(&mut self, extent: u32) -> bool {
        let is_fresh = self.fresh.has(extent.into());
        if is_fresh {
            self.fresh.set(extent.into(), false);
        }
        is_fresh
    }

    /// A program has written to an `extent` of `file` that is not dirty, of so many pages; there are so many extents in all.
    pub fn dirty(&mut self, file: u32, extent: u32, pages: u64, extents: u64) {
        self.dirty.reach(extents);
        self.dirty.set(extent.into(), true);
        if self.of_files.len() <= file as usize {
            self.of_files.resize(file as usize + 1, 0);
        }
        self.of_files[file as usize] += pages;
        self.counts.dirty += pages;
        self.counts.dirtied += pages;
    }

    /// Write-back of a dirty `extent` of `file` begins.
    pub fn take(&mut self, file: u32, extent: u32, pages: u64, extents: u64) {
        self.writing.reach(extents);
        self.dirty.set(extent.into(), false);
        self.writing.set(extent.into(), true);
        self.of_files[file as usize] -= pages;
        self.counts.dirty -= pages;
        self.counts.writing += pages;
    }

    /// Write-back of an extent ends.
    pub fn end(&mut self, extent: u32, pages: u64) {
        self.writing.set(extent.into(), false);
        self.counts.writing -= pages;
        self.counts.written += pages;
    }
}
