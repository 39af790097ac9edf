//! What a policy of the page cache or of read-ahead is asked, whoever asks it: a net's code or the fast form.

use hotset_cache::{LinuxPageCache, PAGE_BYTES};

use super::MultiGenerational;
use super::read_ahead::{ReadAhead, Window};

/// Which pages of a file stay in memory. Numbers are pages from the start of the file; times are the caller's.
pub trait PageCachePolicy {
    /// Whether a page is in memory.
    fn holds(&self, page: u64) -> bool;

    /// Brings a page into memory, where nobody has accessed it yet. Others leave for it if they must.
    fn fetch(&mut self, now_ns: u64, page: u64);

    /// The same in folios of 2^`order` pages, where the policy tells folios from pages.
    fn fetch_in_folios(&mut self, now_ns: u64, page: u64, _order: u8) {
        self.fetch(now_ns, page);
    }

    /// A reader copies a page; nothing where it is not in memory.
    fn touch(&mut self, now_ns: u64, page: u64);

    /// A reader accesses a page through its page table; nothing where the policy does not follow that.
    fn access_mapped(&mut self, _page: u64) {}

    /// A page leaves a reader's page table.
    fn unmap(&mut self, _page: u64) {}

    /// Drops a page.
    fn forget(&mut self, page: u64);
}

/// The kernel's own lists, where each page is an object.
impl PageCachePolicy for LinuxPageCache {
    fn holds(&self, page: u64) -> bool {
        LinuxPageCache::holds(self, page as u32)
    }

    fn fetch(&mut self, _now_ns: u64, page: u64) {
        LinuxPageCache::fetch(self, page as u32);
    }

    fn fetch_in_folios(&mut self, _now_ns: u64, page: u64, order: u8) {
        LinuxPageCache::fetch_in_folios(self, page as u32, order);
    }

    fn touch(&mut self, _now_ns: u64, page: u64) {
        LinuxPageCache::touch(self, page as u32);
    }

    fn access_mapped(&mut self, page: u64) {
        LinuxPageCache::access_mapped(self, page as u32);
    }

    fn unmap(&mut self, page: u64) {
        LinuxPageCache::unmap(self, page as u32);
    }

    fn forget(&mut self, page: u64) {
        LinuxPageCache::forget(self, page as u32);
    }
}

/// The generations, where each page is an object.
impl PageCachePolicy for MultiGenerational {
    fn holds(&self, page: u64) -> bool {
        MultiGenerational::holds(self, page as u32)
    }

    fn fetch(&mut self, _now_ns: u64, page: u64) {
        MultiGenerational::fetch(self, page as u32);
    }

    fn touch(&mut self, _now_ns: u64, page: u64) {
        MultiGenerational::touch(self, page as u32);
    }

    fn forget(&mut self, page: u64) {
        MultiGenerational::forget(self, page as u32);
    }
}

/// What a reader finds where a page should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Missing,
    /// The page, in memory or on its way.
    Present,
    /// The same, and it is a window's [`marker`](Window::marker). The caller takes the mark off.
    Marked,
}

/// What is read ahead for an open file.
pub trait ReadAheadPolicy {
    /// A reader that wants `wanted` pages from `page` on has found something there; `holds` tells which pages are in memory.
    /// Adds to `windows` those to be read, in their order, as far as they are not in memory and the file has them: a missing
    /// page is in one.
    fn come(
        &mut self,
        page: u64,
        wanted: u64,
        found: Found,
        holds: &dyn Fn(u64) -> bool,
        windows: &mut Vec<Window>,
    );

    /// A read has ended with `page`.
    fn has_read(&mut self, page: u64);

    /// Order of the folios of the window that was chosen last, where the file system has large ones. They are cut to the window.
    fn folio_order(&self) -> u8 {
        0
    }
}

/// On demand: only missing and marked pages have windows read.
impl ReadAheadPolicy for ReadAhead {
    fn come(
        &mut self,
        page: u64,
        wanted: u64,
        found: Found,
        holds: &dyn Fn(u64) -> bool,
        windows: &mut Vec<Window>,
    ) {
        let window = match found {
            Found::Missing => Some(self.miss(page, wanted, |most| before(page, most, holds))),
            Found::Marked => ReadAhead::reach(self, page, wanted, |most| after(page, most, holds)),
            Found::Present => None,
        };
        windows.extend(window);
    }

    fn has_read(&mut self, page: u64) {
        ReadAhead::has_read(self, page);
    }

    fn folio_order(&self) -> u8 {
        ReadAhead::folio_order(self)
    }
}

/// Pages in memory right before `page`, at most so many.
fn before(page: u64, most: u64, holds: &dyn Fn(u64) -> bool) -> u64 {
    let pages = (0..page).rev().take(most as usize);
    pages.take_while(|&it| holds(it)).count() as u64
}

/// Pages in memory right behind `page`; nothing when there are `most`.
fn after(page: u64, most: u64, holds: &dyn Fn(u64) -> bool) -> Option<u64> {
    let pages = (page + 1..).take(most as usize);
    let cached = pages.take_while(|&it| holds(it)).count() as u64;
    (cached < most).then_some(cached)
}

/// So many bytes as whole pages.
pub(super) fn whole_pages(bytes: u64) -> u64 {
    bytes / PAGE_BYTES
}

/// Exactly what is wanted.
pub(super) fn exact(page: u64, wanted: u64) -> Window {
    Window {
        start: page,
        pages: wanted,
        marker: None,
    }
}
