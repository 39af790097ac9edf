//! What clients read ahead: the kernel beneath FUSE, Lustre's own, and the daemons'.

use std::collections::BTreeSet;
use std::ops::Range;

use hotset_cache::PAGE_BYTES;

use super::system::Lustre;
use crate::read_ahead::{Advice, Lookup, OnDemand, ReadAheadPolicy, Window};

/// Read-ahead of the kernel where nothing else is said (`VM_READAHEAD_PAGES`, `include/linux/mm.h`).
const KERNEL_AHEAD_BYTES: u64 = 128 << 10;
/// Pages by which a reader of Lustre may miss where its last read ended, and still reads on.
const NEAR_PAGES: u64 = 8;

/// Read-ahead of an open file.
#[derive(Clone, Debug)]
pub(super) enum FileAhead {
    Kernel(OnDemand),
    Lustre(LustreAhead),
}

impl FileAhead {
    /// Of the kernel, by whose pages a daemon of FUSE is asked.
    pub fn kernel() -> Self {
        let (most, request) = (KERNEL_AHEAD_BYTES, KERNEL_AHEAD_BYTES);
        Self::Kernel(OnDemand::new(most, request, Advice::Normal))
    }

    /// Of Lustre, of a file with so many bytes.
    pub fn lustre(options: &Lustre, file_bytes: u64) -> Self {
        let is_small = file_bytes <= options.whole_bytes && options.read_ahead_bytes > 0;
        Self::Lustre(LustreAhead {
            most: options.read_ahead_bytes / PAGE_BYTES,
            whole: is_small.then_some(file_bytes.div_ceil(PAGE_BYTES)),
            ..LustreAhead::default()
        })
    }
}

impl ReadAheadPolicy for FileAhead {
    fn choose(
        &mut self,
        page: u64,
        wanted: u64,
        found: Lookup,
        holds: &dyn Fn(u64) -> bool,
        windows: &mut Vec<Window>,
    ) {
        match self {
            Self::Kernel(it) => it.choose(page, wanted, found, holds, windows),
            Self::Lustre(it) => it.choose(page, wanted, found, windows),
        }
    }

    fn has_read(&mut self, page: u64) {
        match self {
            Self::Kernel(it) => it.has_read(page),
            Self::Lustre(it) => it.has_read(page),
        }
    }
}

/// Read-ahead of Lustre (`ras_update`, `ll_readahead`, `lustre/llite/rw.c`). Each read that goes on behind the last one makes the window
/// longer by 1 MiB. What of it was not asked for yet is asked for. From the second read on a small file is read whole.
#[derive(Clone, Debug, Default)]
pub(super) struct LustreAhead {
    /// Pages of the longest window, and those of a small file.
    most: u64,
    whole: Option<u64>,
    /// Reads, and those of them that went on one after the other.
    reads: u64,
    consecutive: u64,
    /// A read is under way.
    is_in_read: bool,
    /// Where the next one goes on, how long the window is, and up to where it was asked for.
    next: u64,
    window: u64,
    asked: u64,
}

/// Pages by which a window grows (`RAS_INCREASE_STEP`).
const STEP_PAGES: u64 = (1 << 20) / PAGE_BYTES;

impl LustreAhead {
    fn choose(&mut self, page: u64, wanted: u64, found: Lookup, windows: &mut Vec<Window>) {
        let window = |start: u64, pages: u64| Window {
            start,
            pages,
            marker: None,
        };
        if found == Lookup::Missing {
            windows.push(window(page, wanted));
        }
        if self.is_in_read {
            return;
        }
        self.is_in_read = true;
        self.enter(page);
        let (start, end) = match self.whole {
            // What of it is in memory already is passed over.
            Some(pages) if self.reads >= 2 && self.asked < pages => (0, pages),
            Some(_) if self.reads >= 2 => (0, 0),
            _ => (self.asked.max(page + wanted), page + self.window),
        };
        if end > start {
            windows.push(window(start, end - start));
            self.asked = end;
        }
    }

    /// A read begins with `page`.
    fn enter(&mut self, page: u64) {
        self.reads += 1;
        let is_near = page + NEAR_PAGES >= self.next && page <= self.next + NEAR_PAGES;
        if !is_near {
            (self.consecutive, self.window, self.asked) = (0, 0, 0);
        }
        self.consecutive += 1;
        if self.consecutive > 1 {
            self.window = (self.window + STEP_PAGES).min(self.most);
        }
    }

    fn has_read(&mut self, page: u64) {
        self.next = page + 1;
        self.is_in_read = false;
    }
}

/// What a daemon has fetched of an open file, by blocks, and how far it is read in order.
#[derive(Clone, Debug, Default)]
pub(super) struct DaemonAhead {
    expected: u64,
    streak_bytes: u64,
    blocks: BTreeSet<u64>,
}

/// How a daemon reads ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct DaemonRule {
    /// It fetches blocks of so many bytes.
    pub block_bytes: u64,
    /// So many bytes behind what is wanted; none at all with 0.
    pub ahead_bytes: u64,
    /// Once so many bytes were read in order.
    pub trigger_bytes: u64,
}

impl DaemonAhead {
    /// The kernel wants these bytes of a file with `size` bytes: what is to be fetched for it, and what ahead of it.
    pub fn read(
        &mut self,
        bytes: Range<u64>,
        size: u64,
        rule: DaemonRule,
    ) -> (Range<u64>, Range<u64>) {
        if bytes.start != self.expected {
            self.streak_bytes = 0;
            self.blocks.clear();
        }
        self.streak_bytes += bytes.end - bytes.start;
        self.expected = bytes.end;
        let block_bytes = rule.block_bytes.max(1);
        let wanted = bytes.start / block_bytes..bytes.end.div_ceil(block_bytes);
        if rule.ahead_bytes == 0 || self.streak_bytes < rule.trigger_bytes {
            return (bytes, 0..0);
        }
        let needed = self.fetch(wanted.clone());
        let count = rule.ahead_bytes.div_ceil(block_bytes);
        let ahead = self.fetch(wanted.end..wanted.end + count);
        // What has been read is not needed again.
        self.blocks = self.blocks.split_off(&wanted.start);
        let in_bytes = |blocks: Range<u64>| {
            (blocks.start * block_bytes).min(size)..(blocks.end * block_bytes).min(size)
        };
        (in_bytes(needed), in_bytes(ahead))
    }

    /// The blocks of a range from the first to the last that is not there. All are then.
    fn fetch(&mut self, blocks: Range<u64>) -> Range<u64> {
        let missing = |it: &u64| !self.blocks.contains(it);
        let first = blocks.clone().find(missing);
        let last = blocks.clone().rev().find(missing);
        self.blocks.extend(blocks);
        match (first, last) {
            (Some(first), Some(last)) => first..last + 1,
            _ => 0..0,
        }
    }
}
