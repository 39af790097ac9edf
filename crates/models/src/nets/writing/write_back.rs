//! Dirty pages, and what decides when they are written and who is paused.

use hotset_petri::{Colour, Time};

use super::dirty_pages::DirtyPages;
use super::job::WriteJob;
use super::layout::FileLayout;
use crate::nets::tokens::Run;
use crate::read_ahead::LARGEST_REQUEST_BYTES;
use crate::write_back::{Dirtier, Flusher, Limits, Throttle};

/// The file, for the objects that know several.
const FILE: u32 = 0;

/// Dirty pages, and what decides about them.
#[derive(Clone, Debug)]
pub(super) struct WriteBack {
    pub pages: DirtyPages,
    throttle: Throttle,
    dirtier: Dirtier,
    flusher: Flusher,
    /// Time between two looks of the flusher; nothing where it never looks by itself.
    interval: Option<Time>,
    layout: FileLayout,
}

impl Colour for WriteBack {}

impl WriteBack {
    /// Nothing is dirty.
    pub fn new(job: &WriteJob, layout: FileLayout) -> Self {
        let ns = |s: f64| (s * 1e9) as u64;
        let interval = Time::from_nanos(ns(job.writing.flush_s));
        Self {
            pages: DirtyPages::default(),
            throttle: Throttle::new(Limits::of(&job.writing, job.memory_pages())),
            dirtier: Dirtier::default(),
            flusher: Flusher::new(ns(job.writing.expire_s)),
            interval: (interval > Time::ZERO).then_some(interval),
            layout,
        }
    }

    /// A page that was begun at `began` is dirty from now on. Whether its program is to be looked at, and when the flusher is to look,
    /// where nobody has told it.
    pub fn dirty(&mut self, began: Time, page: u64) -> (bool, Option<Time>) {
        let was_clean = !self.pages.has_dirty();
        let is_new = self.pages.dirty(page);
        self.dirtier.dirtied += u64::from(is_new);
        let is_due = self.throttle.room(&self.dirtier) == 0;
        let is_untold = was_clean && self.flusher.note_dirty(began.nanos(), FILE);
        let looks = self.interval.filter(|_| is_untold);
        (is_due, looks.map(|interval| began + interval))
    }

    /// Whether so much is dirty that it is written.
    pub fn is_too_much(&self) -> bool {
        self.pages.counts().dirty > self.throttle.limits().background
    }

    /// It is written from now on.
    pub fn press(&mut self) {
        self.flusher.start_background();
    }

    /// How long the program is paused, and whether it is looked at again then.
    pub fn balance(&mut self, now: Time) -> Option<(Time, bool)> {
        let counts = self.pages.counts();
        let (throttle, dirtier) = (&mut self.throttle, &mut self.dirtier);
        let pause = throttle.balance(now.nanos(), counts, dirtier)?;
        // Nothing is left that could be waited for: the limit is none.
        let is_pause = !pause.again || counts.dirty + counts.writing > 0;
        is_pause.then(|| (Time::from_nanos(pause.ns), pause.again))
    }

    /// The flusher looks for what is dirty for long. When it looks again, and since when a page must be dirty to be old.
    pub fn look(&mut self, now: Time, has_metadata: bool) -> (Option<Time>, Option<u64>) {
        let counts = self.pages.counts();
        let goes_on = self.flusher.wake(now.nanos(), counts, has_metadata);
        let again = self.interval.filter(|_| goes_on);
        (again, self.flusher.expires(now.nanos()))
    }

    /// Takes pages that somebody waits for.
    pub fn take_awaited(&mut self, now: Time) -> Option<Run> {
        let is_first = !self.pages.has_any_under_way();
        let run = self
            .pages
            .take_awaited(self.layout, LARGEST_REQUEST_BYTES)?;
        self.note_start(now, is_first);
        Some(run)
    }

    /// Takes pages that the flusher has to write.
    pub fn take_old(&mut self, now: Time) -> Option<Run> {
        let limits = self.throttle.limits();
        let is_first = !self.pages.has_any_under_way();
        for _ in 0..self.flusher.looks() {
            let counts = self.pages.counts();
            let chunk = self.throttle.chunk_pages();
            let left = self.flusher.turn(counts, limits, chunk)?.left_pages;
            let most_bytes = LARGEST_REQUEST_BYTES.min(left * hotset_cache::PAGE_BYTES);
            let next = self.flusher.place(FILE);
            if let Some(run) = self.pages.take(next, most_bytes, self.layout) {
                self.flusher.took(run.pages);
                self.note_start(now, is_first);
                return Some(run);
            }
            let is_dirty = self.pages.has_dirty();
            self.flusher.reach_end(now.nanos(), is_dirty);
            self.throttle.note_writing(now.nanos(), counts);
        }
        None
    }

    fn note_start(&mut self, now: Time, is_first: bool) {
        if is_first {
            self.throttle.note_start(now.nanos(), self.pages.counts());
        }
    }

    /// Nothing is left to be handed over after pages have come to the disk.
    pub fn rest(&mut self, now: Time) {
        if !self.pages.has_any_under_way() {
            self.throttle.note_writing(now.nanos(), self.pages.counts());
        }
    }
}
