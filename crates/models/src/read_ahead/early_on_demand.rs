//! Read-ahead on demand as it began: Linux 2.6.23 to 2.6.30, the era of the dissertation's traces.
//!
//! Followed is `ondemand_readahead` in `mm/readahead.c` of Linux 2.6.27, whose caller is `do_generic_file_read` in `mm/filemap.c`. A device
//! whose queue is congested is left out. Numbers are pages from the start of the file.
//!
//! [`super::OnDemand`] is what it has become: it looks at the pages before a missing one, begins a window at the start of a file
//! whatever was read before, and has folios.

use super::on_demand::{after, first_size};
use super::policy::{Lookup, ReadAheadPolicy, Window, exact, whole_pages};

/// State of an open file (`struct file_ra_state` of 2.6.27).
#[derive(Clone, Debug)]
pub struct EarlyOnDemand {
    most: u64,
    start: u64,
    size: u64,
    ahead: u64,
    /// The page that was read last (`prev_pos`).
    last: Option<u64>,
}

impl EarlyOnDemand {
    /// Of a file just opened, where the kernel reads so much ahead at most.
    #[must_use]
    pub fn new(most_bytes: u64) -> Self {
        Self {
            most: whole_pages(most_bytes),
            start: 0,
            size: 0,
            ahead: 0,
            last: None,
        }
    }

    /// A missing page.
    fn miss(&mut self, page: u64, wanted: u64) -> Window {
        if self.is_expected(page) {
            return self.next_window(self.start + self.size, self.size);
        }
        let follows = match self.last {
            None => page == 0,
            Some(last) => page == last || page == last + 1,
        };
        if !follows && wanted <= self.most {
            return exact(page, wanted);
        }
        let size = first_size(wanted, self.most);
        let ahead = if size > wanted { size - wanted } else { size };
        self.window(page, size, ahead)
    }

    /// A marked page. Windows of several readers take turns: where it is not this one's mark, what is in memory behind it tells how
    /// long the window was.
    fn reach(&mut self, page: u64, holds: &dyn Fn(u64) -> bool) -> Option<Window> {
        if self.is_expected(page) {
            return Some(self.next_window(self.start + self.size, self.size));
        }
        let behind = 1 + after(page, self.most, holds)?;
        Some(self.next_window(page + behind, behind))
    }

    /// Whether a window's mark is there, or its end.
    fn is_expected(&self, page: u64) -> bool {
        let end = self.start + self.size;
        page != 0 && (page == end - self.ahead || page == end)
    }

    /// The window behind one of so many pages (`get_next_ra_size`).
    fn next_window(&mut self, start: u64, before: u64) -> Window {
        let times = if before < self.most / 16 { 4 } else { 2 };
        let size = (times * before).min(self.most);
        self.window(start, size, size)
    }

    fn window(&mut self, start: u64, size: u64, ahead: u64) -> Window {
        (self.start, self.size, self.ahead) = (start, size, ahead);
        Window {
            start,
            pages: size,
            marker: Some(start + size - ahead),
        }
    }
}

impl ReadAheadPolicy for EarlyOnDemand {
    fn choose(
        &mut self,
        page: u64,
        wanted: u64,
        found: Lookup,
        holds: &dyn Fn(u64) -> bool,
        windows: &mut Vec<Window>,
    ) {
        match found {
            Lookup::Present => {}
            Lookup::Marked if self.most > 0 => windows.extend(self.reach(page, holds)),
            Lookup::Marked => {}
            // Without read-ahead, the page alone is read.
            Lookup::Missing if self.most == 0 => windows.push(exact(page, 1)),
            Lookup::Missing => {
                let mut window = self.miss(page, wanted);
                let covers = |it: &Window, page| (it.start..it.start + it.pages).contains(&page);
                // The reader is at the mark as soon as the window is asked for.
                let next = match window.marker.take_if(|marker| *marker == page) {
                    Some(_) => self.reach(page, &|it| covers(&window, it) || holds(it)),
                    None => None,
                };
                windows.push(window);
                windows.extend(next);
                if !covers(&window, page) {
                    windows.push(exact(page, 1));
                }
            }
        }
    }

    fn has_read(&mut self, page: u64) {
        self.last = Some(page);
    }
}
