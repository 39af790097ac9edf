//! A page cache of two queues, active and inactive, as the dissertation "File System Simulation: Hierarchical Performance
//! Measurement and Modeling" draws it (chapter 4.3, figure 22), with the order of reclaim that its chapter 8.4 asks for.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::policy::PageCachePolicy;

/// Where a page is in the order of reclaim: the first goes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Reclaim {
    /// Not written to, in no program's memory.
    Clean,
    /// In a program's memory.
    Mapped,
    /// To be written first: it does not go before.
    Dirty,
}

#[derive(Clone, Copy, Debug, Hash)]
struct Page {
    is_active: bool,
    /// The first flag: it was accessed since it became inactive.
    referenced: bool,
    dirty: bool,
    mapped: bool,
    /// When it was last accessed, where it is active; when it became inactive, where it is not.
    since_ns: u64,
}

impl Page {
    fn reclaim(&self) -> Reclaim {
        match self {
            Page { dirty: true, .. } => Reclaim::Dirty,
            Page { mapped: true, .. } => Reclaim::Mapped,
            _ => Reclaim::Clean,
        }
    }
}

/// Two queues of whole pages.
///
/// A page comes into the inactive queue with neither of its flags set. Its first access sets one, its second the other, which
/// takes it to the active queue. A page that was not accessed for long enough goes back to the inactive queue and loses its flags. Reclaim
/// takes pages of the inactive queue only. It takes those first that came first, those that programs have mapped last, and dirty ones not
/// before they are written. Where no inactive page may go, the one that was accessed longest ago becomes inactive.
#[derive(Clone, Default)]
pub struct TwoQueues {
    capacity_pages: u64,
    unused_ns: u64,
    pages: HashMap<u64, Page>,
    inactive: BTreeSet<(Reclaim, u64, u64)>,
    active: BTreeSet<(u64, u64)>,
}

impl TwoQueues {
    /// Empty queues for so many pages. An active page goes back after `unused_ns` without an access.
    #[must_use]
    pub fn new(capacity_pages: u64, unused_ns: u64) -> Self {
        Self {
            capacity_pages,
            unused_ns,
            ..Self::default()
        }
    }

    /// Pages in the inactive queue, those first that came first.
    #[must_use]
    pub fn inactive(&self) -> Vec<u64> {
        let mut pages: Vec<_> = self.inactive.iter().map(|it| (it.1, it.2)).collect();
        pages.sort_unstable();
        pages.into_iter().map(|it| it.1).collect()
    }

    /// Pages in the active queue, those first that were accessed longest ago.
    #[must_use]
    pub fn active(&self) -> Vec<u64> {
        self.active.iter().map(|it| it.1).collect()
    }

    /// A page must be written, or was.
    pub fn set_dirty(&mut self, page: u64, dirty: bool) {
        self.change(page, |it| it.dirty = dirty);
    }

    /// A program has a page in its memory, or has it no more.
    pub fn set_mapped(&mut self, page: u64, mapped: bool) {
        self.change(page, |it| it.mapped = mapped);
    }

    /// Pages that were not accessed for long enough go back.
    fn age(&mut self, now_ns: u64) {
        while let Some(&(since_ns, page)) = self.active.first() {
            if now_ns.saturating_sub(since_ns) < self.unused_ns {
                return;
            }
            self.deactivate(now_ns, page);
        }
    }

    fn deactivate(&mut self, now_ns: u64, page: u64) {
        self.change(page, |it| {
            it.is_active = false;
            it.referenced = false;
            it.since_ns = now_ns;
        });
    }

    /// Takes a page; whether there was one that may go.
    fn reclaim(&mut self, now_ns: u64) -> bool {
        loop {
            let first = self.inactive.first().copied();
            if let Some((_, _, page)) = first.filter(|it| it.0 != Reclaim::Dirty) {
                self.forget(page);
                return true;
            }
            let Some(&(_, page)) = self.active.first() else {
                return false;
            };
            self.deactivate(now_ns, page);
        }
    }

    /// Changes a page and its place in the queues.
    fn change(&mut self, page: u64, change: impl FnOnce(&mut Page)) {
        let Some(mut state) = self.pages.remove(&page) else {
            return;
        };
        self.leave(page, state);
        change(&mut state);
        self.enter(page, state);
    }

    fn enter(&mut self, page: u64, state: Page) {
        match state.is_active {
            true => self.active.insert((state.since_ns, page)),
            false => self
                .inactive
                .insert((state.reclaim(), state.since_ns, page)),
        };
        self.pages.insert(page, state);
    }

    fn leave(&mut self, page: u64, state: Page) {
        match state.is_active {
            true => self.active.remove(&(state.since_ns, page)),
            false => self
                .inactive
                .remove(&(state.reclaim(), state.since_ns, page)),
        };
    }
}

impl PageCachePolicy for TwoQueues {
    fn holds(&self, page: u64) -> bool {
        self.pages.contains_key(&page)
    }

    fn fetch(&mut self, now_ns: u64, page: u64) {
        self.age(now_ns);
        if self.capacity_pages == 0 || self.holds(page) {
            return;
        }
        while self.pages.len() as u64 >= self.capacity_pages && self.reclaim(now_ns) {}
        let state = Page {
            is_active: false,
            referenced: false,
            dirty: false,
            mapped: false,
            since_ns: now_ns,
        };
        self.enter(page, state);
    }

    fn touch(&mut self, now_ns: u64, page: u64) {
        self.age(now_ns);
        self.change(page, |it| {
            let activates = !it.is_active && it.referenced;
            it.referenced = true;
            if activates || it.is_active {
                it.is_active = true;
                it.since_ns = now_ns;
            }
        });
    }

    fn set_unwritten(&mut self, page: u64, is_unwritten: bool) {
        self.set_dirty(page, is_unwritten);
    }

    fn forget(&mut self, page: u64) {
        if let Some(state) = self.pages.remove(&page) {
            self.leave(page, state);
        }
    }

    fn resize(&mut self, now_ns: u64, pages: u64) {
        self.capacity_pages = pages;
        while self.pages.len() as u64 > self.capacity_pages && self.reclaim(now_ns) {}
    }
}

/// Short, and different for different contents.
impl fmt::Debug for TwoQueues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut hasher = DefaultHasher::new();
        self.inactive.hash(&mut hasher);
        self.active.hash(&mut hasher);
        for (_, _, page) in &self.inactive {
            self.pages.get(page).hash(&mut hasher);
        }
        f.debug_struct("TwoQueues")
            .field("inactive", &self.inactive.len())
            .field("active", &self.active.len())
            .field("contents", &format_args!("{:016x}", hasher.finish()))
            .finish()
    }
}
