//! The pre-fetch of the dissertation that [`super::Adaptive`] follows (chapter 4.3, p. 61): "The kernel attempts to pre-fetch a pre-defined
//! value number of pages into cache. \[…\] If the read pattern is random, the pre-fetch mechanism will reduce the number of
//! read-ahead pages to a minimum number."
//!
//! Nothing is read before a page is missing: the text knows no mark that has the next pages read while others are used.

use super::policy::{Lookup, ReadAheadPolicy, Window, whole_pages};

/// State of an open file.
#[derive(Clone, Debug)]
pub struct PreFetch {
    most: u64,
    least: u64,
    /// The page that was come to last.
    last: Option<u64>,
}

impl PreFetch {
    /// Of a file just opened: so much is read ahead in a row, and so little at random.
    #[must_use]
    pub fn new(most_bytes: u64, least_bytes: u64) -> Self {
        let most = whole_pages(most_bytes);
        Self {
            most,
            least: whole_pages(least_bytes).min(most),
            last: None,
        }
    }
}

impl ReadAheadPolicy for PreFetch {
    fn choose(
        &mut self,
        page: u64,
        _wanted: u64,
        found: Lookup,
        _holds: &dyn Fn(u64) -> bool,
        windows: &mut Vec<Window>,
    ) {
        let last = self.last.replace(page);
        if found != Lookup::Missing {
            return;
        }
        let in_a_row = last.map_or(page == 0, |last| page == last || page == last + 1);
        let pages = if in_a_row { self.most } else { self.least };
        windows.push(Window {
            start: page,
            pages: pages.max(1),
            marker: None,
        });
    }

    fn has_read(&mut self, _page: u64) {}
}
