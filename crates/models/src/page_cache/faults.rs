//! Files that processes have mapped (`mmap`): what is mapped already is read without the kernel, the rest by page faults.

use super::cache::PageCache;
use super::mapping::Mapping;

/// Pages that a fault maps at most where they are in memory, aligned to as many (`fault_around_pages`, `mm/memory.c`: 64 KiB).
const FAULT_AROUND_PAGES: u64 = 16;

impl PageCache {
    /// Maps `file`; the mapping's number. None of its pages is in the process's page table yet. Accesses do not count when pages are
    /// reclaimed where the kernel was advised how it is read.
    pub fn map(&mut self, file: u32, is_advised: bool) -> u32 {
        let extents = self.extent_count(file);
        self.mappings.push(Mapping::new(file, extents, !is_advised));
        self.mappings.len() as u32 - 1
    }

    /// Closes a mapping and maps its file anew.
    pub fn map_anew(&mut self, mapping: u32) {
        let Mapping { file, counts, .. } = self.mappings[mapping as usize];
        for number in 0..self.extent_count(file) {
            if counts && self.mappings[mapping as usize].has(number) {
                self.leave_page_table(file, number);
            }
        }
        self.mappings[mapping as usize].clear();
    }

    /// Forgets all mappings.
    pub fn unmap_all(&mut self) {
        (0..self.mappings.len()).for_each(|mapping| self.map_anew(mapping as u32));
        self.mappings.clear();
    }

    /// Whether reading the extent at `offset` of a mapping is no fault. What leaves memory leaves page tables first.
    #[inline]
    pub fn has_mapped(&self, mapping: u32, offset: u64) -> bool {
        let mapping = &self.mappings[mapping as usize];
        mapping.has(self.extent_number(offset)) && !self.lacks(mapping.file, offset)
    }

    /// A program accesses the extent at `offset` of a mapping, which is mapped.
    pub fn access_mapped(&mut self, mapping: u32, offset: u64) {
        let Mapping { file, counts, .. } = self.mappings[mapping as usize];
        if counts {
            self.access_by_page_table(file, self.extent_number(offset));
        }
    }

    /// Ends a fault on the extent at `offset`: it is mapped, and of those around it what is in memory, has arrived and is no mark
    /// of read-ahead (`filemap_map_pages`, `mm/filemap.c`). All of them count as accessed, but on processors that want them old
    /// (`arch_wants_old_prefaulted_pte`), which those of AMD and Intel do not.
    pub fn fault_around(&mut self, mapping: u32, offset: u64) {
        let file = self.mappings[mapping as usize].file;
        let number = self.extent_number(offset);
        let around = (FAULT_AROUND_PAGES / self.extent_pages()).max(1);
        let first = number / around * around;
        for other in first..(first + around).min(self.extent_count(file)) {
            if other == number || self.may_be_mapped(file, other) {
                self.mappings[mapping as usize].set(other, true);
                self.access_mapped(mapping, other * self.extent_bytes());
            }
        }
    }

    /// Takes an extent that was added to memory anew out of all mappings of its file.
    pub(super) fn unmap(&mut self, file: u32, number: u64) {
        let mappings = self.mappings.iter_mut();
        for mapping in mappings.filter(|it| it.file == file) {
            mapping.set(number, false);
        }
    }
}
