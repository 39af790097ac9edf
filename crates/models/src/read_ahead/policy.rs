//! What a policy of read-ahead is asked, whoever asks it: a net's code or the fast form.

use hotset_cache::PAGE_BYTES;

/// What a program has told the kernel of its reading (`posix_fadvise`, `mm/fadvise.c`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice {
    /// Nothing.
    Normal,
    /// The window is twice as long.
    Sequential,
    /// What is asked for is read, and nothing else.
    Random,
    /// Nothing, of a file that is mapped: a missing page has a whole window around it read.
    Around,
}

/// Pages to be read, as far as they are not in memory and the file has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The first.
    pub start: u64,
    /// How many.
    pub pages: u64,
    /// The page that has the next window read when a reader comes to it.
    pub marker: Option<u64>,
}

/// What a reader finds where a page should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
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
    fn choose(
        &mut self,
        page: u64,
        wanted: u64,
        found: Lookup,
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
