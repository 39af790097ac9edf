//! Which file is written next, and how much of it (`wb_workfn`, `wb_writeback`, `writeback_sb_inodes` of `fs/fs-writeback.c`).

use std::collections::VecDeque;

use super::limits::Limits;
use crate::page_cache::UnwrittenPages;

/// A file with dirty pages (`struct inode`).
#[derive(Clone, Copy, Debug, Default)]
struct DirtyFile {
    /// Since when it is dirty (`dirtied_when`).
    since_ns: u64,
    /// The extent of it that is looked at next (`writeback_index`).
    next: u64,
    /// Whether it waits for its turn, or has it.
    is_known: bool,
}

/// A file that is being written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Turn {
    pub file: u32,
    /// Pages of its chunk that are left.
    pub left_pages: u64,
    /// Whether it was looked at from its start again.
    wrapped: bool,
}

/// The thread that writes dirty pages back.
#[derive(Clone, Debug)]
pub(crate) struct Flusher {
    expire_ns: u64,
    files: Vec<DirtyFile>,
    /// Files that wait for their turn, in its order.
    waiting: VecDeque<u32>,
    turn: Option<Turn>,
    /// Whether it writes until no more is dirty than the background limit.
    is_background: bool,
    /// Pages that it writes whatever the limits are.
    all_pages: u64,
    /// Whether it writes what is dirty since before a time.
    expired_ns: Option<u64>,
    /// Whether it is to be woken later.
    is_armed: bool,
}

impl Flusher {
    /// One that writes what is dirty for so long.
    pub fn new(expire_ns: u64) -> Self {
        Self {
            expire_ns,
            files: Vec::new(),
            waiting: VecDeque::new(),
            turn: None,
            is_background: false,
            all_pages: 0,
            expired_ns: None,
            is_armed: false,
        }
    }

    /// Pages of `file` have become dirty, of which none was; whether the flusher has to be woken after its interval.
    pub fn note_dirty(&mut self, now_ns: u64, file: u32) -> bool {
        if self.files.len() <= file as usize {
            self.files.resize(file as usize + 1, DirtyFile::default());
        }
        let known = &mut self.files[file as usize];
        known.since_ns = now_ns;
        if !std::mem::replace(&mut known.is_known, true) {
            self.waiting.push_back(file);
        }
        self.arm()
    }

    /// There is something to look for; whether the flusher has to be woken after its interval.
    pub fn arm(&mut self) -> bool {
        !std::mem::replace(&mut self.is_armed, true)
    }

    /// It wakes to look for old dirty pages, and for too many; whether it has to be woken again (`wb_check_old_data_flush`,
    /// `wb_check_background_flush`). `has_metadata`: blocks of the file system's own are dirty as well.
    pub fn wake(&mut self, now_ns: u64, pages: UnwrittenPages, has_metadata: bool) -> bool {
        self.expired_ns = self.expires(now_ns);
        self.is_background = true;
        self.is_armed = has_metadata || pages.dirty + pages.writing > 0;
        self.is_armed
    }

    /// What is dirty since then is old.
    pub fn expires(&self, now_ns: u64) -> Option<u64> {
        now_ns.checked_sub(self.expire_ns)
    }

    /// Too much is dirty (`wb_start_background_writeback`).
    #[inline]
    pub fn start_background(&mut self) {
        self.is_background = true;
    }

    /// Memory is full of dirty pages: so many are written (`wakeup_flusher_threads`, for `WB_REASON_VMSCAN`).
    pub fn write_all(&mut self, pages: u64) {
        self.all_pages = self.all_pages.max(pages);
    }

    /// The file that is being written, or the next one; nothing where nothing has to be.
    pub fn turn(
        &mut self,
        pages: UnwrittenPages,
        limits: Limits,
        chunk_pages: u64,
    ) -> Option<Turn> {
        if let Some(turn) = self.turn {
            if turn.left_pages > 0 && self.has_work(pages, limits) {
                return Some(turn);
            }
            self.waiting.push_back(turn.file);
            self.turn = None;
        }
        let file = self.next_file(pages, limits)?;
        let turn = Turn {
            file,
            left_pages: chunk_pages,
            wrapped: self.files[file as usize].next == 0,
        };
        self.turn = Some(turn);
        Some(turn)
    }

    /// Whether there is something to write for the present work (`wb_over_bg_thresh`).
    fn has_work(&self, pages: UnwrittenPages, limits: Limits) -> bool {
        let is_too_much = self.is_background && pages.dirty > limits.background;
        self.all_pages > 0 || self.expired_ns.is_some() || is_too_much
    }

    fn next_file(&mut self, pages: UnwrittenPages, limits: Limits) -> Option<u32> {
        self.is_background &= pages.dirty > limits.background;
        if pages.dirty == 0 {
            self.all_pages = 0;
        }
        if self.is_background || self.all_pages > 0 {
            return self.waiting.pop_front();
        }
        let before_ns = self.expired_ns?;
        let is_old = |file: &u32| self.files[*file as usize].since_ns <= before_ns;
        let found = self.waiting.iter().position(is_old);
        if found.is_none() {
            self.expired_ns = None;
        }
        found.and_then(|at| self.waiting.remove(at))
    }

    /// Where the file that is being written is looked at next.
    pub fn place(&mut self, file: u32) -> &mut u64 {
        &mut self.files[file as usize].next
    }

    /// So many pages of the file were handed over.
    pub fn took(&mut self, pages: u64) {
        self.all_pages = self.all_pages.saturating_sub(pages);
        if let Some(turn) = &mut self.turn {
            turn.left_pages = turn.left_pages.saturating_sub(pages);
        }
    }

    /// Nothing is left from there to the end of the file. It is looked at from its start once more (`range_cyclic`); then its turn is
    /// over. One that is dirty still has become so in the meantime (`redirty_tail`).
    pub fn reach_end(&mut self, now_ns: u64, is_dirty: bool) {
        let Some(turn) = &mut self.turn else {
            return;
        };
        let file = turn.file;
        let known = &mut self.files[file as usize];
        known.next = 0;
        if !std::mem::replace(&mut turn.wrapped, true) {
            return;
        }
        self.turn = None;
        known.is_known = is_dirty;
        if is_dirty {
            known.since_ns = now_ns;
            self.waiting.push_back(file);
        }
    }

    /// How often files have to be looked at to find out that nothing of them can be handed over now.
    pub fn looks(&self) -> usize {
        2 * (self.waiting.len() + 1) + 1
    }
}
