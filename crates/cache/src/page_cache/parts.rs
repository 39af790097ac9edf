//! Parts of files as objects of their own, for readers that do not read whole files and that decide themselves what is
//! read ahead.

use super::LinuxPageCache;
use super::read_ahead::LARGE_ORDER;

impl LinuxPageCache {
    /// Whether all of object `id` is in memory.
    #[inline]
    pub fn holds(&self, id: u32) -> bool {
        self.blocks
            .of(id)
            .all(|block| self.lists.is_resident(block))
    }

    /// Brings object `id` into memory as read-ahead does: nobody has touched it yet. An object larger than the cache stays
    /// outside.
    pub fn fetch(&mut self, id: u32) {
        self.fetch_in_folios(id, 0);
    }

    /// The same in folios of 2^`order` pages, no larger than a window of read-ahead (order 5).
    pub fn fetch_in_folios(&mut self, id: u32, order: u8) {
        let blocks = self.blocks.of(id);
        let pages: u64 = blocks.clone().map(|it| self.lists.pages_of(it)).sum();
        if pages > self.capacity_pages {
            return;
        }
        for block in blocks {
            if !self.lists.is_resident(block) {
                self.insert(block, order.min(LARGE_ORDER));
            }
        }
    }

    /// A reader copies object `id` from memory (`folio_mark_accessed`); nothing where it is not there.
    #[inline]
    pub fn touch(&mut self, id: u32) {
        if self.is_settled(id) || !self.holds(id) {
            return;
        }
        let mut settled = true;
        for block in self.blocks.of(id) {
            settled &= self.lists.touch(block);
        }
        if settled {
            self.lists.settle(id);
        }
    }

    /// A program accesses object `id` through its page table, where it is in memory. Nothing happens before reclaim looks.
    pub fn access_mapped(&mut self, id: u32) {
        if self.holds(id) {
            for block in self.blocks.of(id) {
                self.lists.access_mapped(block);
            }
        }
    }

    /// Object `id` leaves a program's page table.
    pub fn unmap(&mut self, id: u32) {
        for block in self.blocks.of(id) {
            self.lists.unmap(block);
        }
    }

    /// Has object `id` stay in memory until it is written, or lets it leave again; nothing where it is not there. Programs have written
    /// to it, and the kernel evicts nothing that its store does not have.
    pub fn set_unwritten(&mut self, id: u32, is_unwritten: bool) {
        for block in self.blocks.of(id) {
            self.lists.set_unwritten(block, id, is_unwritten);
        }
    }

    /// Drops object `id` as `POSIX_FADV_DONTNEED` does: nothing is remembered of it (`mapping_evict_folio`).
    pub fn forget(&mut self, id: u32) {
        for block in self.blocks.of(id) {
            self.lists.forget(block, id);
        }
    }
}
