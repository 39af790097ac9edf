//! Read-ahead that adapts to the reader, by the three rules of the dissertation that [`super::TwoQueues`] follows (chapter 8.4.1):
//!
//! - It is gradually increased as long as the file is read in a row.
//! - It is scaled down or switched off when a read does not follow the one before.
//! - It stops when the same pages are read over and over, or are in memory already.
//!
//! The dissertation gives no numbers. Steps and limits are those of Linux 2.6: see [`super::TwoWindows`].

use super::policy::{Lookup, ReadAheadPolicy, Window, exact, whole_pages};
use super::two_windows::{LEAST_BYTES, MOST_FOUND};

/// State of an open file.
#[derive(Clone, Debug)]
pub struct Adaptive {
    most: u64,
    /// Pages of a window; 0 where read-ahead is off.
    size: u64,
    /// The page behind the last window.
    end: u64,
    /// The page that was come to last.
    last: Option<u64>,
    /// Pages of windows that were in memory already, one window after the other.
    found: u64,
}

impl Adaptive {
    /// Of a file just opened, where so much is read ahead at most.
    #[must_use]
    pub fn new(most_bytes: u64) -> Self {
        Self {
            most: whole_pages(most_bytes),
            size: 0,
            end: 0,
            last: None,
            found: 0,
        }
    }

    /// Twice the window, as the kernel has it.
    fn grow(&mut self) {
        let least = whole_pages(LEAST_BYTES);
        self.size = (2 * self.size).max(least).min(self.most);
    }

    /// Half the window, or none where that would be less than the kernel's least.
    fn shrink(&mut self) {
        self.size /= 2;
        if self.size < whole_pages(LEAST_BYTES) {
            self.size = 0;
        }
    }

    /// A window from `start` on, of which the reader waits for `waited` pages.
    fn window(&mut self, start: u64, waited: u64, holds: &dyn Fn(u64) -> bool) -> Window {
        let pages = self.size.max(waited);
        self.end = start + pages;
        match (start..self.end).all(holds) {
            true => self.found += pages,
            false => self.found = 0,
        }
        let marker = start + if pages > waited { waited } else { 0 };
        Window {
            start,
            pages,
            marker: Some(marker),
        }
    }
}

impl ReadAheadPolicy for Adaptive {
    fn choose(
        &mut self,
        page: u64,
        wanted: u64,
        found: Lookup,
        holds: &dyn Fn(u64) -> bool,
        windows: &mut Vec<Window>,
    ) {
        let last = self.last.replace(page);
        let again = last == Some(page);
        let in_a_row = last.map_or(page == 0, |last| page == last + 1);
        if !again && !in_a_row {
            self.shrink();
        }
        windows.extend(match found {
            Lookup::Missing if in_a_row && self.most > 0 => {
                self.grow();
                Some(self.window(page, wanted, holds))
            }
            Lookup::Missing => Some(exact(page, wanted)),
            Lookup::Marked if in_a_row && self.found < MOST_FOUND && self.size > 0 => {
                self.grow();
                let end = self.end;
                Some(self.window(end, 0, holds))
            }
            Lookup::Marked | Lookup::Present => None,
        });
    }

    fn has_read(&mut self, _page: u64) {}
}
