//! Which pages of the file are dirty, which are on their way to the disk, and who waits for that.

use std::fmt;

use hotset_cache::PAGE_BYTES;
use hotset_petri::Time;

use super::layout::FileLayout;
use super::tokens::Fsync;
use crate::nets::tokens::{PageSet, PageTree as _, Run};
use crate::page_cache::UnwrittenPages;

/// Requests of dirty pages that the disk has at a time (`RWB_DEF_DEPTH`, `block/blk-wbt.h`).
const MOST_TRANSFERS: usize = 16;
/// Passes of an fsync over the file: a page that was under way when it was written to is handed over in the second one.
const PASSES: u8 = 2;

/// Who waits until the file is on the disk.
#[derive(Clone, Copy, Debug)]
pub(super) enum Who {
    Program(Fsync),
    Journal,
}

/// A wait for the file.
#[derive(Clone, Debug)]
struct Wait {
    who: Who,
    /// The page that is looked at next.
    next: u64,
    passes: u8,
    /// Pages on their way when all was handed over, as far as they have not come; nothing before.
    under_way: Option<PageSet>,
}

impl Wait {
    fn new(who: Who, passes: u8) -> Self {
        Self {
            who,
            next: 0,
            passes,
            under_way: None,
        }
    }

    fn hands_over(&self) -> bool {
        self.under_way.is_none()
    }

    fn has_come(&self) -> bool {
        self.under_way.as_ref().is_some_and(|it| it.0.is_empty())
    }
}

/// Dirty pages of the file.
#[derive(Clone, Default)]
pub(super) struct DirtyPages {
    dirty: PageSet,
    writing: PageSet,
    /// Pages that have become dirty so far, and pages that were written.
    dirtied: u64,
    written: u64,
    /// Requests under way.
    transfers: usize,
    waits: Vec<Wait>,
    /// The wait whose turn it is to hand over.
    turn: usize,
}

/// Without the counts, which decide nothing before time has passed.
impl fmt::Debug for DirtyPages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DirtyPages")
            .field("dirty", &self.dirty)
            .field("writing", &self.writing)
            .field("transfers", &self.transfers)
            .field("waits", &self.waits)
            .field("turn", &self.turn)
            .finish()
    }
}

impl DirtyPages {
    /// What has yet to reach the disk, as policies are told.
    pub fn counts(&self) -> UnwrittenPages {
        UnwrittenPages {
            dirty: self.dirty.0.len() as u64,
            writing: self.writing.0.len() as u64,
            dirtied: self.dirtied,
            written: self.written,
        }
    }

    pub fn has_dirty(&self) -> bool {
        !self.dirty.0.is_empty()
    }

    pub fn is_dirty(&self, page: u64) -> bool {
        self.dirty.holds(page)
    }

    pub fn has_any_under_way(&self) -> bool {
        self.transfers > 0
    }

    /// Whether all of the file is on the disk.
    pub fn are_written(&self) -> bool {
        !self.has_dirty() && !self.has_any_under_way()
    }

    /// A page is dirty from now on; whether it was not before.
    pub fn dirty(&mut self, page: u64) -> bool {
        let is_new = self.dirty.0.insert(page);
        self.dirtied += u64::from(is_new);
        is_new
    }

    /// Whether the disk may have another request.
    pub fn has_slot(&self) -> bool {
        self.transfers < MOST_TRANSFERS
    }

    /// Whether somebody waits whose pages are not all handed over.
    pub fn are_waited_for(&self) -> bool {
        self.waits.iter().any(Wait::hands_over)
    }

    /// `who` waits for all that is dirty now.
    pub fn wait(&mut self, who: Who) {
        self.waits.push(Wait::new(who, 0));
    }

    /// Takes pages that somebody waits for.
    pub fn take_awaited(&mut self, layout: FileLayout, most_bytes: u64) -> Option<Run> {
        loop {
            let count = self.waits.len();
            let mut turns = (0..count).map(|it| (self.turn + it) % count);
            let number = turns.find(|&it| self.waits[it].hands_over())?;
            self.turn = number + 1;
            let mut next = self.waits[number].next;
            let run = self.take(&mut next, most_bytes, layout);
            self.waits[number].next = next;
            match run {
                Some(run) => return Some(run),
                None => self.waits[number].under_way = Some(self.writing.clone()),
            }
        }
    }

    /// Takes dirty pages from `next` on that lie side by side, no more than so many bytes; nobody writes a page twice at a time.
    pub fn take(&mut self, next: &mut u64, most_bytes: u64, layout: FileLayout) -> Option<Run> {
        let is_free = |page: &u64| !self.writing.holds(*page);
        let first = self.dirty.0.range(*next..).copied().find(is_free)?;
        let mut end = first;
        while self.may_take(end)
            && (end == first || layout.offset(end) == layout.offset(end - 1) + PAGE_BYTES)
            && (end == first || (end + 1 - first) * PAGE_BYTES <= most_bytes)
        {
            self.dirty.0.remove(&end);
            self.writing.0.insert(end);
            end += 1;
        }
        *next = end;
        self.transfers += 1;
        Some(Run {
            page: first,
            pages: end - first,
            asked: Time::ZERO,
        })
    }

    fn may_take(&self, page: u64) -> bool {
        self.dirty.holds(page) && !self.writing.holds(page)
    }

    /// A page has come to the disk.
    pub fn end_page(&mut self, page: u64) {
        self.writing.0.remove(&page);
        self.written += 1;
        for wait in &mut self.waits {
            if let Some(under_way) = &mut wait.under_way {
                under_way.0.remove(&page);
            }
        }
    }

    /// All pages of a request have come.
    pub fn end_transfer(&mut self) {
        self.transfers -= 1;
    }

    /// Takes somebody who need not wait any longer. Who has more to hand over goes over the file once more.
    pub fn take_over(&mut self) -> Option<Who> {
        for number in 0..self.waits.len() {
            let wait = &mut self.waits[number];
            if !wait.has_come() {
                continue;
            }
            if self.dirty.0.is_empty() || wait.passes + 1 == PASSES {
                return Some(self.waits.remove(number).who);
            }
            *wait = Wait::new(wait.who, wait.passes + 1);
        }
        None
    }
}
