//! What a reader of a whole file loads, and in how large folios (`page_cache_sync_ra`, `page_cache_async_ra` and
//! `page_cache_ra_order` of `mm/readahead.c`).
//!
//! `OnDemand` of the crate `models` is the same for any reader, any window and pages one by one. This one stays beside it for its
//! speed. The simulator's reader with that one took 5 times as long for a request where files did not fit into memory, and 80
//! times and more where they did (two million requests for 5,000 files of up to 200 pages, November 2026). A plan scans its trace many
//! times. `sent_files.rs` among the tests of `models` holds both to the same pages, request by request.

use std::ops::Range;

/// Blocks of a read-ahead window: 128 KiB, `read_ahead_kb` of most devices.
const WINDOW_BLOCKS: u32 = 2;

/// How much larger, as an order of two, folios get from window to window.
const ORDER_STEP: u8 = 2;

/// Order of folios as large as a window, which is as large as they get.
pub(super) const LARGE_ORDER: u8 = 5;

/// Order of folios as large as a block.
const BLOCK_ORDER: u8 = 4;

/// A window of read-ahead: what of these blocks is not in memory is loaded.
pub(super) struct Window {
    /// Blocks, counted from the start of the file.
    pub blocks: Range<u32>,
    /// Order of its folios.
    pub order: u8,
}

/// State of an open file (`struct file_ra_state`) that is read from its start to its end.
#[derive(Default)]
pub(super) struct ReadAhead {
    /// The block whose touch loads the next window.
    marker: Option<u32>,
    /// The block that the window about to be loaded marks.
    marks: u32,
    /// Where the next window starts.
    next: u32,
    /// Order of the last window's folios, before they are cut to the window.
    order: u8,
}

impl ReadAhead {
    /// The window to load when the reader reaches `block` of a file of `whole_blocks` full blocks and perhaps a last one
    /// that is not; `resident` says what is in memory.
    #[inline]
    pub fn reach(
        &mut self,
        block: u32,
        whole_blocks: u32,
        resident: impl Fn(u32) -> bool,
    ) -> Option<Window> {
        let reached = self.loads_at(block);
        let blocks = if !resident(block) {
            self.order = 0;
            self.start(block)
        } else if reached {
            self.order = self.order.saturating_add(ORDER_STEP);
            self.start(self.next)
        } else {
            return None;
        };
        // A window that starts in what was read before it marks its second half, a later one its start.
        let marker = if self.order == 0 {
            block + 1
        } else {
            blocks.start
        };
        self.marks = marker;
        if reached {
            self.marker = None;
        }
        let aligned = blocks.start % WINDOW_BLOCKS == 0 && blocks.end <= whole_blocks;
        let largest = if aligned && !blocks.clone().any(resident) {
            LARGE_ORDER
        } else {
            BLOCK_ORDER
        };
        let order = self.order.min(largest);
        Some(Window { blocks, order })
    }

    /// Whether the touch of `block`, which is in memory, loads another window.
    #[inline]
    pub fn loads_at(&self, block: u32) -> bool {
        self.marker == Some(block)
    }

    /// Notes that `block` of the window was added. Only what is added is marked (`page_cache_ra_unbounded`), and what was marked
    /// stays so until it is reached or leaves memory.
    #[inline]
    pub fn mark(&mut self, block: u32) {
        if block == self.marks {
            self.marker = Some(block);
        } else if self.marker == Some(block) {
            self.marker = None;
        }
    }

    /// A window ends where one of its folios does, so that the next one can have large folios too (`page_cache_async_ra`). Only
    /// folios as large as a window are larger than a block.
    fn start(&mut self, block: u32) -> Range<u32> {
        self.next = match self.order >= LARGE_ORDER {
            true => (block + WINDOW_BLOCKS) / WINDOW_BLOCKS * WINDOW_BLOCKS,
            false => block + WINDOW_BLOCKS,
        };
        block..self.next
    }
}
