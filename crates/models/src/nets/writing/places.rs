//! The places by which the pages of a net that writes are joined.

use hotset_petri::{Page, Unit, Urgent};

use super::journaling::Journaling;
use super::tokens::{Block, CacheRequest, Call, Flush, Fsync, Request};
use super::walk::Walk;
use super::write_back::WriteBack;
use crate::nets::places::{self, ToDisk};
use crate::nets::tokens::{Queue, Run};

/// How urgent what the disk has done is, before write-back looks at it.
pub(super) const AT_ONCE: Urgent = Urgent(50);
/// How urgent the journal's timer is: the same write has set the flusher's before it, which goes off first.
pub(super) const LAST: Urgent = Urgent(Urgent::LOW.0 + 1);

/// Between the program, the C library and the kernel.
pub(super) struct Writes {
    pub wanted: Queue<Block>,
    pub written: Queue<Block>,
    /// The program waits for what it has written.
    pub closing: Queue<Fsync>,
    pub closed: Queue<Fsync>,
    pub calls: Queue<Call>,
    pub returned: Queue<Call>,
    pub fsyncs: Queue<Fsync>,
}

impl Writes {
    pub fn new(page: &mut Page<'_>) -> Self {
        Self {
            wanted: page.fifo("block to write", []),
            written: page.fifo("block written", []),
            closing: page.fifo("fflush", []),
            closed: page.fifo("flushed", []),
            calls: page.fifo("write call", []),
            returned: page.fifo("return code", []),
            fsyncs: page.fifo("fsync call", []),
        }
    }
}

/// Around the page cache, of what writes ask it.
pub(super) type Cache<T> = places::Cache<T, CacheRequest>;

/// Between a write call, copying and pauses.
pub(super) struct Copies {
    pub to_copy: Queue<Call>,
    pub copied: Queue<Call>,
    /// Pages that are written to.
    pub committed: Queue<Call>,
}

impl Copies {
    pub fn new(page: &mut Page<'_>) -> Self {
        Self {
            to_copy: page.fifo("page to copy", []),
            copied: page.fifo("page copied", []),
            committed: page.fifo("page committed", []),
        }
    }
}

/// Between write calls, write-back, the journal and the disk.
pub(super) struct Kernel {
    pub write_back: Queue<WriteBack>,
    pub journal: Queue<Journaling>,
    /// Write-back at work, or at rest.
    pub walk: Queue<Walk>,
    /// What it is to look at: anything, too many dirty pages, pages that have come to the disk.
    pub looks: Unit,
    pub presses: Unit,
    pub arrivals: Unit,
    /// The flusher's timer, and the journal's.
    pub flusher_timer: Queue<()>,
    pub commit_timer: Queue<()>,
    /// Calls that wait for room in the journal.
    pub waiting: Queue<Call>,
    /// Pages that are handed over.
    pub runs: Queue<Run>,
    pub flushes: Queue<Flush>,
    pub to_disk: ToDisk<Request>,
}

impl Kernel {
    pub fn new(page: &mut Page<'_>, write_back: WriteBack, journal: Journaling) -> Self {
        Self {
            write_back: page.fifo("dirty pages", [write_back]),
            journal: page.fifo("journal state", [journal]),
            walk: page.fifo("write-back", [Walk::resting()]),
            looks: page.unit("something to do", 0),
            presses: page.unit("too much is dirty", 0),
            arrivals: page.unit("pages came to the disk", 0),
            flusher_timer: page.fifo("flusher timer", []),
            commit_timer: page.fifo("commit timer", []),
            waiting: page.fifo("waiting for room", []),
            runs: page.fifo("pages to write", []),
            flushes: page.fifo("flush of the disk", []),
            to_disk: ToDisk::new(page),
        }
    }
}
