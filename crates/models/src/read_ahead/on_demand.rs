//! Read-ahead on demand: only missing and marked pages have windows read. Linux today.
//!
//! Followed is `mm/readahead.c` of Linux 6.18. Numbers are pages from the start of the file.

use hotset_cache::PAGE_BYTES;

use super::policy::{Advice, Lookup, ReadAheadPolicy, Window, exact};

/// The largest request to a device, `max_sectors_kb` where neither driver nor device wants another
/// (`BLK_DEF_MAX_SECTORS_CAP`, `include/linux/blkdev.h`).
pub const LARGEST_REQUEST_BYTES: u64 = 1280 << 10;

/// State of an open file (`struct file_ra_state`).
#[derive(Clone, Debug)]
pub struct OnDemand {
    advice: Advice,
    most: u64,
    /// Pages of the largest request to the device: reads larger than `most` raise the window to it.
    request: u64,
    start: u64,
    size: u64,
    ahead: u64,
    /// Of the window's folios (`order`).
    order: u8,
    /// The page that was read last.
    last: Option<u64>,
}

/// How much larger, as an order of two, folios get from window to window (`page_cache_async_ra`).
const ORDER_STEP: u8 = 2;

impl OnDemand {
    /// Of a file just opened, where the kernel reads `most_bytes` ahead at most and the device takes requests of `request_bytes`.
    #[must_use]
    pub fn new(most_bytes: u64, request_bytes: u64, advice: Advice) -> Self {
        let most = most_bytes / PAGE_BYTES;
        Self {
            advice,
            most: match advice {
                Advice::Sequential => 2 * most,
                Advice::Normal | Advice::Random | Advice::Around => most,
            },
            request: request_bytes / PAGE_BYTES,
            start: 0,
            size: 0,
            ahead: 0,
            order: 0,
            last: None,
        }
    }

    /// Whether windows follow each other.
    fn streams(&self) -> bool {
        self.advice != Advice::Random && self.most > 0
    }

    /// A reader wants `wanted` pages from `page`, which is not in memory (`page_cache_sync_ra`). `cached_before` counts the
    /// pages in memory right before it, up to a limit.
    pub fn miss(
        &mut self,
        page: u64,
        wanted: u64,
        cached_before: impl FnOnce(u64) -> u64,
    ) -> Window {
        self.order = 0;
        if !self.streams() {
            return exact(page, wanted);
        }
        if self.advice == Advice::Around {
            return self.around(page);
        }
        let most = self.most_for(wanted);
        let follows = self
            .last
            .is_some_and(|last| page == last || page == last + 1);
        if page == 0 || wanted > most || follows {
            let size = first_size(wanted, most);
            let ahead = if size > wanted {
                size - wanted
            } else {
                size / 2
            };
            return self.window(page, size, ahead);
        }
        let cached = cached_before(most.min(page));
        if cached <= wanted {
            return exact(page, wanted);
        }
        // In memory from the start of the file on: a strong sign of a stream.
        let history = if cached == page { 2 * cached } else { cached };
        self.window(page, (history + wanted).min(most), 1)
    }

    /// A reader that wants `wanted` pages has come to the marked `page` (`page_cache_async_ra`). `cached_after` counts the pages
    /// in memory right behind it, up to a limit; nothing when the limit is reached.
    pub fn reach(
        &mut self,
        page: u64,
        wanted: u64,
        cached_after: impl FnOnce(u64) -> Option<u64>,
    ) -> Option<Window> {
        if self.most == 0 {
            return None;
        }
        let most = self.most_for(wanted);
        if page == self.start + self.size - self.ahead {
            let size = self.size.max(next_size(self.size, most));
            return Some(self.next_window(self.start + self.size, size, most));
        }
        let behind = 1 + cached_after(most)?;
        let size = next_size(behind + wanted, most);
        Some(self.next_window(page + behind, size, most))
    }

    /// A fault on `page` of a file that is mapped (`do_sync_mmap_readahead`, `mm/filemap.c`).
    ///
    /// The kernel stops reading around after a hundred misses more than hits (`MMAP_LOTSAMISS`). Each page that a fault maps counts
    /// as a hit (`filemap_map_pages`), and the fault that has a window read maps up to sixteen of it. So it does not stop unless
    /// pages come back that were evicted shortly before, which are no hits. That is not followed.
    fn around(&mut self, page: u64) -> Window {
        self.window(page.saturating_sub(self.most / 2), self.most, self.most / 4)
    }

    /// A window behind another: its folios are larger, and no larger than itself. It ends where such a folio does, so that the next
    /// window can have large ones too; no folio is taken to be larger than what divides `most`.
    fn next_window(&mut self, start: u64, size: u64, most: u64) -> Window {
        let order = u32::from(self.order + ORDER_STEP);
        let folio = 1 << order.min(most.trailing_zeros());
        let end = (start + size) / folio * folio;
        let size = if end > start { end - start } else { size };
        self.order = order.min(size.checked_ilog2().unwrap_or(0)) as u8;
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

    /// `ractl_max_pages`; `io_pages` there is `max_sectors` of the queue (`blk_apply_bdi_limits`, `block/blk-settings.c`).
    fn most_for(&self, wanted: u64) -> u64 {
        if wanted > self.most && self.request > self.most {
            wanted.min(self.request)
        } else {
            self.most
        }
    }
}

/// `get_init_ra_size`.
pub(super) fn first_size(wanted: u64, most: u64) -> u64 {
    let size = wanted.next_power_of_two();
    if size <= most / 32 {
        4 * size
    } else if size <= most / 4 {
        2 * size
    } else {
        most
    }
}

/// `get_next_ra_size`.
fn next_size(size: u64, most: u64) -> u64 {
    if size < most / 16 {
        4 * size
    } else if size <= most / 2 {
        2 * size
    } else {
        most
    }
}

impl ReadAheadPolicy for OnDemand {
    fn choose(
        &mut self,
        page: u64,
        wanted: u64,
        found: Lookup,
        holds: &dyn Fn(u64) -> bool,
        windows: &mut Vec<Window>,
    ) {
        let window = match found {
            Lookup::Missing => Some(self.miss(page, wanted, |most| before(page, most, holds))),
            Lookup::Marked => self.reach(page, wanted, |most| after(page, most, holds)),
            Lookup::Present => None,
        };
        windows.extend(window);
    }

    fn has_read(&mut self, page: u64) {
        self.last = Some(page);
    }

    fn folio_order(&self) -> u8 {
        self.order
    }
}

/// Pages in memory right before `page`, at most so many.
fn before(page: u64, most: u64, holds: &dyn Fn(u64) -> bool) -> u64 {
    let pages = (0..page).rev().take(most as usize);
    pages.take_while(|&it| holds(it)).count() as u64
}

/// Pages in memory right behind `page`; nothing when there are `most`.
pub(super) fn after(page: u64, most: u64, holds: &dyn Fn(u64) -> bool) -> Option<u64> {
    let pages = (page + 1..).take(most as usize);
    let cached = pages.take_while(|&it| holds(it)).count() as u64;
    (cached < most).then_some(cached)
}
