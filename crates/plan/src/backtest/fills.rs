//! Which of the accesses before others decide what a page cache has.
//!
//! A page cache forgets. What it has at some access depends on the accesses shortly before: those that fill it a few times over. In a
//! long log they are few, and what is before them hardly matters.

use super::prepare::Backtest;
use crate::select::HeldSet;
use crate::value::Values;

/// How often over a page cache is filled by the accesses that warm it. An LRU cache is the same after one, wherever it started. The two
/// lists of Linux keep some files for far longer, so that a few hits may differ. The plan and the page cache alone, which are what
/// is asked for, are scored after all accesses.
const FILLS: u8 = 32;

/// Accesses, from the last backwards, counted by how often over they fill the page cache beside a set. A filling is accesses to files that
/// take all of it, each file counted once.
pub(super) struct Fills<'t> {
    values: &'t Values,
    room: u64,
    /// The last filling that each file was counted in. Those that are held never are.
    counted: Vec<u8>,
    done: u8,
    pages: u64,
}

impl<'t> Fills<'t> {
    /// Nothing where all files fit beside `set`: the page cache then has all that was ever asked for.
    pub fn beside(test: &'t Backtest, set: &HeldSet) -> Option<Self> {
        let room = test.memory_pages.saturating_sub(set.pages());
        if test.values.all_pages().iter().sum::<u64>() - set.pages() <= room {
            return None;
        }
        let mut counted = vec![0; test.objects()];
        let held = set.objects().iter();
        held.for_each(|&object| counted[object as usize] = u8::MAX);
        Some(Self {
            values: &test.values,
            room,
            counted,
            done: 0,
            pages: 0,
        })
    }

    /// Counts an earlier access to `object`; how often the page cache is filled, where this one ends a filling.
    pub fn add(&mut self, object: u32) -> Option<u8> {
        let last = &mut self.counted[object as usize];
        if *last <= self.done {
            *last = self.done + 1;
            self.pages += self.values.pages(object);
        }
        if self.pages <= self.room {
            return None;
        }
        (self.done, self.pages) = (self.done + 1, 0);
        Some(self.done)
    }
}

/// The last of the accesses `warming`: as many as decide nearly all of what the page cache beside `set` has at their end.
pub(crate) fn decisive<'w>(test: &Backtest, warming: &'w [u32], set: &HeldSet) -> &'w [u32] {
    // Whether a file was ever opened is remembered for good.
    if test.values.has_metadata() || test.tries_all_splits() {
        return warming;
    }
    let Some(mut fills) = Fills::beside(test, set) else {
        return warming;
    };
    let is_first = |&object: &u32| fills.add(object) == Some(FILLS);
    let first = warming.iter().rposition(is_first);
    &warming[first.unwrap_or(0)..]
}
