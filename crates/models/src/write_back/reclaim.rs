//! Programs that wait as memory is full of pages that are not written (`shrink_folio_list`, `mm/vmscan.c`). The limits of what may be dirty keep
//! the memory of a machine from that. A memory group of version 1 has none of its own, and may be smaller than those of the machine: its reclaim
//! has the flusher write, and waits for write-back.
//!
//! Simplified: it waits until one transfer is over, whichever. Programs that read are not kept waiting.

use crate::page_cache::UnwrittenPages;

/// Programs that wait for memory.
#[derive(Clone, Debug)]
pub(crate) struct Reclaim<W> {
    /// Pages that there are.
    pages: u64,
    waiting: Vec<W>,
}

impl<W> Reclaim<W> {
    /// Of memory of so many pages.
    pub fn new(pages: u64) -> Self {
        Self {
            pages,
            waiting: Vec::new(),
        }
    }

    /// Whether nothing could leave memory.
    #[inline]
    pub fn is_full(&self, unwritten: UnwrittenPages) -> bool {
        let unwritten = unwritten.dirty + unwritten.writing;
        unwritten > 0 && unwritten >= self.pages
    }

    /// `waiter` waits until something can.
    pub fn push(&mut self, waiter: W) {
        self.waiting.push(waiter);
    }

    /// Those who go on as something can.
    pub fn take(&mut self, unwritten: UnwrittenPages) -> Vec<W> {
        match self.is_full(unwritten) {
            true => Vec::new(),
            false => std::mem::take(&mut self.waiting),
        }
    }
}
