//! Read-ahead with a current and an ahead window: Linux 2.4 to 2.6.22.
//!
//! Followed is `page_cache_readahead` in `mm/readahead.c` of Linux 2.6.18, whose caller is `do_generic_mapping_read` in
//! `mm/filemap.c`. A device whose queue is congested is left out.

use super::on_demand::first_size;
use super::policy::{Lookup, ReadAheadPolicy, Window, exact, whole_pages};

/// The least window after a miss: `VM_MIN_READAHEAD`, 16 KiB (`include/linux/mm.h`, 2.6.18).
pub(crate) const LEAST_BYTES: u64 = 16 << 10;
/// Pages of windows found in memory, one window after the other, after which reading ahead stops: `VM_MAX_CACHE_HIT`
/// (`include/linux/mm.h`, 2.6.18).
pub(super) const MOST_FOUND: u64 = 256;

/// State of an open file (`struct file_ra_state` of 2.6.18).
#[derive(Clone, Debug)]
pub struct TwoWindows {
    most: u64,
    file_pages: u64,
    start: u64,
    size: u64,
    ahead_start: u64,
    ahead_size: u64,
    /// The page that was looked at last; nothing before the first.
    last: Option<u64>,
    /// The page at which a read under way asks again (`next_index`); nothing between reads.
    next: Option<u64>,
    /// `RA_FLAG_MISS`: a page that was read ahead was gone when a reader came to it.
    missed: bool,
    /// `RA_FLAG_INCACHE`: the file is in memory.
    in_cache: bool,
    found: u64,
}

impl TwoWindows {
    /// Of a file of so many bytes just opened, where the kernel reads so much ahead at most.
    #[must_use]
    pub fn new(most_bytes: u64, file_bytes: u64) -> Self {
        Self {
            most: whole_pages(most_bytes),
            file_pages: whole_pages(file_bytes.next_multiple_of(hotset_cache::PAGE_BYTES)),
            start: 0,
            size: 0,
            ahead_start: 0,
            ahead_size: 0,
            last: None,
            next: None,
            missed: false,
            in_cache: false,
            found: 0,
        }
    }

    /// `page_cache_readahead`; the page at which to ask again.
    fn ask(&mut self, mut page: u64, mut wanted: u64, reading: &mut Reading<'_>) -> u64 {
        if self.last == Some(page) {
            wanted -= 1;
            page += u64::from(wanted > 0);
        }
        let sequential = self.last.map_or(page == 0, |last| page == last + 1);
        let size = wanted.min(self.most);
        let mut last = page;
        if size > 0 && !self.in_cache {
            last = page + size - 1;
            if !sequential {
                self.turn_off();
                self.read(page, size, reading);
            } else if self.size == 0 {
                self.begin(page, size, wanted, reading);
            } else {
                last = self.go_on(last, reading);
            }
        }
        self.last = Some(last);
        last + 1
    }

    /// The first two reads in a row, or the first of all at the start of the file.
    fn begin(&mut self, page: u64, size: u64, wanted: u64, reading: &mut Reading<'_>) {
        self.size = first_size(size, self.most);
        self.start = page;
        let size = self.size;
        if self.read(page, size, reading) && wanted >= self.most {
            self.make_ahead(true, reading);
        }
    }

    /// Reading goes on in a row; the last page that was taken care of.
    fn go_on(&mut self, last: u64, reading: &mut Reading<'_>) -> u64 {
        let no_ahead = self.ahead_start == 0;
        if no_ahead && !self.make_ahead(false, reading) {
            return self.within_ahead(last);
        }
        if last < self.ahead_start {
            return last;
        }
        (self.start, self.size) = (self.ahead_start, self.ahead_size);
        self.make_ahead(false, reading);
        self.within_ahead(last)
    }

    fn within_ahead(&self, last: u64) -> u64 {
        last.min((self.ahead_start + self.ahead_size).saturating_sub(1))
    }

    /// `make_ahead_window`; whether reading ahead goes on.
    fn make_ahead(&mut self, forced: bool, reading: &mut Reading<'_>) -> bool {
        self.ahead_size = self.next_size();
        self.ahead_start = self.start + self.size;
        let (start, size) = (self.ahead_start, self.ahead_size);
        let goes_on = self.read(start, size, reading);
        if !goes_on && !forced {
            self.reset_ahead();
        }
        goes_on
    }

    /// `get_next_ra_size`.
    fn next_size(&mut self) -> u64 {
        let size = if std::mem::take(&mut self.missed) {
            self.size.saturating_sub(2).max(whole_pages(LEAST_BYTES))
        } else if self.size < self.most / 16 {
            4 * self.size
        } else {
            2 * self.size
        };
        size.min(self.most)
    }

    /// Has a window read (`blockable_page_cache_readahead`); not whether reading ahead has just been switched off.
    fn read(&mut self, start: u64, pages: u64, reading: &mut Reading<'_>) -> bool {
        reading.windows.push(exact(start, pages));
        let of_file = start..(start + pages).min(self.file_pages);
        if of_file.into_iter().any(|page| !(reading.holds)(page)) {
            self.found = 0;
            return true;
        }
        self.found += pages;
        if self.found < MOST_FOUND {
            return true;
        }
        self.turn_off();
        self.in_cache = true;
        false
    }

    /// `ra_off`.
    fn turn_off(&mut self) {
        (self.start, self.size) = (0, 0);
        (self.missed, self.in_cache) = (false, false);
        self.reset_ahead();
    }

    /// `reset_ahead_window`: the end of the window is kept.
    fn reset_ahead(&mut self) {
        self.ahead_size += self.ahead_start;
        self.ahead_start = 0;
    }
}

/// What a reader has read.
struct Reading<'a> {
    holds: &'a dyn Fn(u64) -> bool,
    windows: &'a mut Vec<Window>,
}

impl ReadAheadPolicy for TwoWindows {
    fn choose(
        &mut self,
        page: u64,
        wanted: u64,
        found: Lookup,
        holds: &dyn Fn(u64) -> bool,
        windows: &mut Vec<Window>,
    ) {
        let before = windows.len();
        if self.next.is_none_or(|next| page == next) {
            self.next = Some(self.ask(page, wanted, &mut Reading { holds, windows }));
        }
        let covers = |it: &Window| (it.start..it.start + it.pages).contains(&page);
        if found == Lookup::Missing && !windows[before..].iter().any(covers) {
            // handle_ra_miss, and the page alone is read.
            (self.missed, self.in_cache, self.found) = (true, false, 0);
            windows.push(exact(page, 1));
        }
    }

    fn has_read(&mut self, _page: u64) {
        self.next = None;
    }
}
