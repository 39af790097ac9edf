//! What a client has of a file.

use std::collections::BTreeSet;
use std::ops::Range;

use hotset_cache::PAGE_BYTES;

use super::ahead::{DaemonAhead, FileAhead};
use crate::read_ahead::{Lookup, ReadAheadPolicy, Window};
use crate::remote::nfs::Pages;

/// A file as a client knows it.
#[derive(Clone, Debug, Default)]
pub(super) struct Known {
    /// Until when its name and its attributes hold, nanoseconds.
    pub name_until_ns: u64,
    pub attributes_until_ns: u64,
    /// Servers know that it is open.
    pub is_open: bool,
    /// What it was when this client looked at it: files are written by others.
    pub version: u32,
    /// Its pages in the client's memory, where that is followed here.
    pub pages: Pages,
    pub dirty_bytes: u64,
    ahead: Option<FileAhead>,
    /// What the client's daemon has of it, in blocks of its own: what it has fetched, and what it keeps of io-cache.
    pub daemon: DaemonAhead,
    pub kept: BTreeSet<u64>,
    /// Until when what the daemon keeps holds, nanoseconds, and what the file was then.
    pub kept_until_ns: u64,
    pub kept_version: u32,
    /// Chunks of which it knows the servers.
    pub chunks: BTreeSet<u64>,
    /// Until when its bricks are locked for this client, and whether it has changed them.
    pub locked_until_ns: u64,
    pub has_changed: bool,
    /// Operations that bring bytes, and those that write some.
    pub coming: Vec<(Range<u64>, u32)>,
    pub behind: Vec<u32>,
}

/// What a read of a client's memory has to be fetched for.
#[derive(Debug, Default)]
pub(super) struct Fetched {
    /// Bytes that whoever reads waits for, and those that are read ahead.
    pub needed: Vec<Range<u64>>,
    pub ahead: Vec<Range<u64>>,
    /// Pages that were there or on their way.
    pub found: u64,
}

impl Known {
    /// It is opened anew, and read ahead so.
    pub fn open(&mut self, ahead: FileAhead) {
        self.ahead = Some(ahead);
        self.daemon = DaemonAhead::default();
    }

    /// It is read through the client's memory: what is missing is fetched in pieces of at most `most_bytes`. It has `size` bytes.
    pub fn read(
        &mut self,
        bytes: Range<u64>,
        size: u64,
        most_bytes: u64,
        usual: impl FnOnce() -> FileAhead,
    ) -> Fetched {
        let mut fetched = Fetched::default();
        let wanted = bytes.start / PAGE_BYTES..bytes.end.div_ceil(PAGE_BYTES);
        let mut ahead = self.ahead.take().unwrap_or_else(usual);
        for page in wanted.clone() {
            let found = match (self.has(page), self.pages.marked.take(page)) {
                (false, _) => Lookup::Missing,
                (true, true) => Lookup::Marked,
                (true, false) => Lookup::Present,
            };
            fetched.found += u64::from(found != Lookup::Missing);
            let mut windows: Vec<Window> = Vec::new();
            let holds = |page: u64| self.has(page);
            ahead.choose(page, wanted.end - page, found, &holds, &mut windows);
            for window in windows {
                self.take_window(window, (size, most_bytes), &wanted, &mut fetched);
            }
        }
        ahead.has_read(wanted.end.saturating_sub(1));
        self.ahead = Some(ahead);
        fetched
    }

    fn has(&self, page: u64) -> bool {
        self.pages.known.has(page) || self.pages.is_dirty(page)
    }

    /// The pages of a window that are missing are fetched: in pieces of which whoever reads waits for those that he wants something of.
    fn take_window(
        &mut self,
        window: Window,
        (size, most_bytes): (u64, u64),
        wanted: &Range<u64>,
        fetched: &mut Fetched,
    ) {
        let end = (window.start.saturating_add(window.pages)).min(size.div_ceil(PAGE_BYTES));
        let most = (most_bytes / PAGE_BYTES).max(1);
        let mut page = window.start;
        while page < end {
            let is_missing = |page: &u64| !self.has(*page);
            let run = (page..end).take_while(is_missing).count() as u64;
            if run == 0 {
                page += 1;
                continue;
            }
            let run = run.min(most);
            let piece = page * PAGE_BYTES..((page + run) * PAGE_BYTES).min(size);
            match page < wanted.end && page + run > wanted.start {
                true => fetched.needed.push(piece),
                false => fetched.ahead.push(piece),
            }
            for page in page..page + run {
                self.pages.known.add(page);
            }
            if let Some(marker) = window.marker.filter(|it| (page..page + run).contains(it)) {
                self.pages.marked.add(marker);
            }
            page += run;
        }
    }

    /// It is written in the client's memory.
    pub fn write(&mut self, bytes: Range<u64>, size: u64) {
        self.dirty_bytes += bytes.end - bytes.start;
        self.pages.write(bytes, size, false);
    }

    /// Takes what the servers do not have, as pieces that follow each other.
    pub fn take_dirty(&mut self) -> Vec<Range<u64>> {
        self.dirty_bytes = 0;
        self.pages.take_dirty(u64::MAX)
    }

    /// All that this client has of it is gone, but what the servers do not have.
    pub fn forget(&mut self) {
        let (pages, dirty_bytes) = (std::mem::take(&mut self.pages), self.dirty_bytes);
        let (coming, behind) = (
            std::mem::take(&mut self.coming),
            std::mem::take(&mut self.behind),
        );
        let is_open = self.is_open;
        *self = Self {
            pages,
            dirty_bytes,
            coming,
            behind,
            is_open,
            ..Self::default()
        };
        self.pages.drop_clean();
    }

    /// Operations that bring some of these bytes.
    pub fn brings(&self, bytes: &Range<u64>) -> impl Iterator<Item = u32> {
        let of_bytes = self
            .coming
            .iter()
            .filter(move |(it, _)| it.start < bytes.end && bytes.start < it.end);
        of_bytes.map(|(_, operation)| *operation)
    }
}
