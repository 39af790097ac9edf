//! The places by which the pages of a net are joined. Pages share them in groups, each drawn before the first page that needs it.

use hotset_petri::{Colour, Page, Unit};

use super::tokens::{
    Block, Call, PageRequest, PageSet, PageTree, PendingPages, Queue, Request, Run,
};

/// Between the application, the C library and the kernel.
pub(super) struct Reads {
    pub wanted: Queue<Block>,
    pub read: Queue<Block>,
    pub calls: Queue<Call>,
    pub returned: Queue<Call>,
}

impl Reads {
    pub fn new(page: &mut Page<'_>) -> Self {
        Self {
            wanted: page.fifo("block wanted", []),
            read: page.fifo("block read", []),
            calls: page.fifo("read call", []),
            returned: page.fifo("data", []),
        }
    }
}

/// Around the page cache.
pub(super) struct Cache<T, R = PageRequest> {
    /// What tells which pages are in memory.
    pub tree: Queue<T>,
    pub requests: Queue<R>,
    pub served: Unit,
}

impl<T: PageTree, R: Colour> Cache<T, R> {
    pub fn new(page: &mut Page<'_>, tree: T) -> Self {
        Self {
            tree: page.fifo("page tree", [tree]),
            requests: page.fifo("page request", []),
            served: page.unit("page is served", 0),
        }
    }
}

/// Between a read call and read-ahead.
pub(super) struct Lookups<R> {
    pub hit: Queue<Call>,
    pub miss: Queue<Call>,
    pub prefetched: Queue<Call>,
    pub to_copy: Queue<Call>,
    pub copied: Queue<Call>,
    pub marked: Queue<PageSet>,
    pub under_way: Queue<PendingPages>,
    pub read_ahead: Queue<R>,
}

impl<R: Colour> Lookups<R> {
    pub fn new(page: &mut Page<'_>, read_ahead: R) -> Self {
        Self {
            hit: page.fifo("cache hit", []),
            miss: page.fifo("cache miss", []),
            prefetched: page.fifo("prefetched", []),
            to_copy: page.fifo("page to copy", []),
            copied: page.fifo("page copied", []),
            marked: page.fifo("marked pages", [PageSet::default()]),
            under_way: page.fifo("pages under way", [PendingPages::default()]),
            read_ahead: page.fifo("read-ahead state", [read_ahead]),
        }
    }
}

/// Between read-ahead and the file system.
pub(super) struct Runs {
    pub runs: Queue<Run>,
    pub mapped: Unit,
}

impl Runs {
    pub fn new(page: &mut Page<'_>) -> Self {
        Self {
            runs: page.fifo("pages to read", []),
            mapped: page.unit("asked for", 0),
        }
    }
}

/// Between those who ask a disk, the scheduler and the disk.
pub(super) struct ToDisk<R> {
    pub submitted: Queue<R>,
    pub dispatched: Queue<R>,
    pub idle: Unit,
}

impl<R: Colour> ToDisk<R> {
    pub fn new(page: &mut Page<'_>) -> Self {
        Self {
            submitted: page.fifo("requests", []),
            dispatched: page.fifo("dispatched request", []),
            idle: page.unit("disk is idle", 1),
        }
    }
}

/// Between the file system, the scheduler and the disk.
pub(super) struct Requests {
    pub to_disk: ToDisk<Request>,
    /// Blocks of the map, read from the disk.
    pub map_read: Queue<Request>,
}

impl Requests {
    pub fn new(page: &mut Page<'_>) -> Self {
        Self {
            to_disk: ToDisk::new(page),
            map_read: page.fifo("map block", []),
        }
    }
}
