//! Running accesses through held files and the page cache beside them.

use hotset_cache::{LinuxPageCache, Policy, StoreRead, TwoList};

use super::judged::{Judge, Judged};
use super::prepare::Backtest;
use crate::select::HeldSet;
use crate::value::{Served, Values};

/// Accesses served at a time; what is noted of them stays in the processor's first cache.
const CHUNK: usize = 64;

/// What keeps files that are not held.
pub(super) trait FileCache {
    /// Serves `accesses` from `set`, then from the cache; tells `observe` the index and where each was found.
    fn serve(
        &mut self,
        values: &Values,
        accesses: &[u32],
        set: &HeldSet,
        observe: impl FnMut(usize, Served),
    );
}

/// A cache of whole files.
pub(super) struct WholeFiles<P>(pub P);

impl<P: Policy> FileCache for WholeFiles<P> {
    fn serve(
        &mut self,
        values: &Values,
        accesses: &[u32],
        set: &HeldSet,
        observe: impl FnMut(usize, Served),
    ) {
        let access = |policy: &mut P, object| found(policy, object, values.pages(object));
        serve_each(&mut self.0, accesses, set, access, observe);
    }
}

#[inline]
fn found(policy: &mut impl Policy, object: u32, pages: u64) -> Served {
    match policy.access(object, pages) {
        true => Served::Hit,
        false => Served::Miss,
    }
}

impl FileCache for LinuxPageCache {
    fn serve(
        &mut self,
        values: &Values,
        accesses: &[u32],
        set: &HeldSet,
        observe: impl FnMut(usize, Served),
    ) {
        let access = |cache: &mut Self, object| access(cache, object, values.pages(object));
        serve_each(self, accesses, set, access, observe);
    }
}

#[inline]
fn access(cache: &mut LinuxPageCache, object: u32, pages: u64) -> Served {
    match cache.is_settled(object) {
        true => Served::Hit,
        false => opened_and_read(cache, object, pages),
    }
}

fn opened_and_read(cache: &mut LinuxPageCache, object: u32, whole: u64) -> Served {
    let missing = cache.open(object);
    match cache.read(object) {
        _ if missing > 0 => Served::Cold(missing),
        StoreRead { pages: 0, .. } => Served::Hit,
        StoreRead { pages, gaps: 1 } if pages == whole => Served::Miss,
        part => Served::Part(part),
    }
}

/// Serves accesses chunk by chunk in steps that do not wait for each other: which are not held, what the cache has of those,
/// and what the observer makes of each.
#[inline]
fn serve_each<P: Policy>(
    policy: &mut P,
    accesses: &[u32],
    set: &HeldSet,
    access: impl Fn(&mut P, u32) -> Served,
    mut observe: impl FnMut(usize, Served),
) {
    let (mut left, mut places) = ([0; CHUNK], [0; CHUNK]);
    for (chunk, objects) in accesses.chunks(CHUNK).enumerate() {
        let mut count = 0;
        for (place, &object) in objects.iter().enumerate() {
            (left[count], places[count]) = (object, place);
            count += usize::from(!set.contains(object));
        }
        policy.read_ahead(&left[..count]);
        let mut found = [Served::Held; CHUNK];
        for (&object, &place) in left[..count].iter().zip(&places) {
            found[place] = access(policy, object);
        }
        for (place, &served) in found[..objects.len()].iter().enumerate() {
            observe(chunk * CHUNK + place, served);
        }
    }
}

/// The page cache, as it is modelled.
pub(super) enum PageCache {
    WholeFiles(WholeFiles<TwoList>),
    Linux(Box<LinuxPageCache>),
}

impl PageCache {
    /// The page cache that `held_pages` leave.
    pub fn beside(test: &Backtest, held_pages: u64) -> Self {
        let pages = test.memory_pages.saturating_sub(held_pages);
        match &test.linux {
            None => Self::WholeFiles(WholeFiles(TwoList::new(pages, test.objects()))),
            Some(empty) => {
                let mut cache = LinuxPageCache::clone(empty);
                cache.resize(pages);
                Self::Linux(Box::new(cache))
            }
        }
    }

    /// Serves an access to `object` of `pages` pages.
    pub fn access(&mut self, object: u32, pages: u64) -> Served {
        match self {
            Self::WholeFiles(cache) => found(&mut cache.0, object, pages),
            Self::Linux(cache) => access(cache, object, pages),
        }
    }

    /// Leaves it what `held_pages` do not take.
    pub fn resize_beside(&mut self, test: &Backtest, held_pages: u64) {
        let pages = test.memory_pages.saturating_sub(held_pages);
        match self {
            Self::WholeFiles(cache) => cache.0.resize(pages),
            Self::Linux(cache) => cache.resize(pages),
        }
    }
}

impl FileCache for PageCache {
    fn serve(
        &mut self,
        values: &Values,
        accesses: &[u32],
        set: &HeldSet,
        observe: impl FnMut(usize, Served),
    ) {
        match self {
            Self::WholeFiles(cache) => cache.serve(values, accesses, set, observe),
            Self::Linux(cache) => cache.serve(values, accesses, set, observe),
        }
    }
}

/// How the accesses `scored` do with `set` held; the page cache is warm from those before, `warming`.
pub(super) fn judged(test: &Backtest, warming: &[u32], scored: &[u32], set: &HeldSet) -> Judged {
    let mut cache = PageCache::beside(test, set.pages());
    cache.serve(&test.values, warming, set, |_, _| {});
    let mut judge = Judge::new(test);
    cache.serve(&test.values, scored, set, |index, served| {
        judge.add(&test.values, scored[index], served);
    });
    judge.judged()
}

/// How often over, in pages asked for, a page cache is filled by the last of the accesses that warm it.
const TURNOVERS: u64 = 64;

/// The last of the accesses `warming`, as many as decide what the page cache beside `set` has at their end: they ask it for
/// [`TURNOVERS`] times its pages. What it keeps is asked for again before it has read its own size from the store, so that
/// this suffices as long as one page in as many is read.
pub(super) fn last_turnovers<'w>(test: &Backtest, warming: &'w [u32], set: &HeldSet) -> &'w [u32] {
    // Whether a file was ever opened is remembered for good.
    if test.values.has_metadata() || test.tries_all_splits() {
        return warming;
    }
    let mut pages = test.memory_pages.saturating_sub(set.pages()) * TURNOVERS;
    let first = warming.iter().rposition(|&object| {
        if !set.contains(object) {
            pages = pages.saturating_sub(test.values.pages(object));
        }
        pages == 0
    });
    &warming[first.unwrap_or(0)..]
}
