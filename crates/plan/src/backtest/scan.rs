//! Running accesses through held files and the page cache beside them.

use hotset_cache::{LinuxPageCache, Policy, TwoList};

use super::judgement::{Judge, Judgement};
use super::prepare::Backtest;
use super::writers::Writers;
use crate::select::HeldSet;
use crate::value::{AccessResult, Values};

/// Accesses served at a time; what is noted of them stays in the processor's first cache.
const CHUNK: usize = 64;

/// Places in a chunk where nothing is held.
const ALL_PLACES: [usize; CHUNK] = {
    let mut places = [0; CHUNK];
    let mut place = 0;
    while place < CHUNK {
        places[place] = place;
        place += 1;
    }
    places
};

/// Accesses to be served one after the other, while a set of files is held.
#[derive(Clone, Copy)]
pub(crate) struct Scan<'a> {
    pub values: &'a Values,
    accesses: &'a [u32],
    set: &'a HeldSet,
    /// The place of the first among all accesses of the node, where writers go by the times of these.
    first: Option<usize>,
}

impl<'a> Scan<'a> {
    /// Accesses that may be at any time: writers stand still.
    pub fn of(values: &'a Values, accesses: &'a [u32], set: &'a HeldSet) -> Self {
        Self {
            values,
            accesses,
            set,
            first: None,
        }
    }

    /// The same where they are those of the node from the place `first` on.
    pub fn at(self, first: usize) -> Self {
        Self {
            first: Some(first),
            ..self
        }
    }
}

/// A few consecutive accesses, served.
pub(crate) struct Chunk<'c> {
    /// Index of the first.
    first: usize,
    accesses: &'c [u32],
    /// Those that are not held, in order.
    rest: &'c [u32],
    /// Their places in the chunk.
    places: &'c [usize],
    /// Where each of them was found.
    found: &'c [AccessResult],
}

/// What keeps files that are not held.
pub(crate) trait FileCache {
    /// Serves accesses from the set, then from the cache, and tells `observe` of each chunk.
    fn serve_chunks(&mut self, scan: Scan, observe: impl FnMut(&Chunk));

    /// The same, and tells `observe` the index of each access and where it was found.
    fn serve(&mut self, scan: Scan, mut observe: impl FnMut(usize, AccessResult)) {
        self.serve_chunks(scan, |chunk| {
            scan.values.read_ahead(chunk.accesses);
            let mut found = [AccessResult::Held; CHUNK];
            for (&place, &served) in chunk.places.iter().zip(chunk.found) {
                found[place] = served;
            }
            for (place, &served) in found[..chunk.accesses.len()].iter().enumerate() {
                observe(chunk.first + place, served);
            }
        });
    }

    /// The same, and tells nobody.
    fn warm(&mut self, scan: Scan) {
        self.serve_chunks(scan, |_| {});
    }

    /// The same, and tells `observe` of the accesses that are not held: their objects and where each was found.
    fn serve_rest(&mut self, scan: Scan, mut observe: impl FnMut(u32, AccessResult)) {
        self.serve_chunks(scan, |chunk| {
            scan.values.read_ahead(chunk.rest);
            for (&object, &served) in chunk.rest.iter().zip(chunk.found) {
                observe(object, served);
            }
        });
    }
}

/// A cache of whole files.
pub(crate) struct WholeFiles<P>(pub P);

impl<P: Policy> FileCache for WholeFiles<P> {
    fn serve_chunks(&mut self, scan: Scan, observe: impl FnMut(&Chunk)) {
        let access = |policy: &mut P, _, object| found(policy, object, scan.values.pages(object));
        serve_each(&mut self.0, scan, P::read_ahead, access, observe);
    }
}

#[inline]
fn found(policy: &mut impl Policy, object: u32, pages: u64) -> AccessResult {
    match policy.access(object, pages) {
        true => AccessResult::Hit,
        false => AccessResult::Miss,
    }
}

impl FileCache for LinuxPageCache {
    fn serve_chunks(&mut self, scan: Scan, observe: impl FnMut(&Chunk)) {
        let access = |cache: &mut Self, _, object| access(cache, object);
        serve_each(self, scan, Policy::read_ahead, access, observe);
    }
}

/// The page cache of Linux, and the programs that write into it.
pub(crate) struct Written {
    cache: LinuxPageCache,
    writers: Writers,
}

impl Written {
    /// Changes how much fits from now on.
    fn resize(&mut self, pages: u64) {
        self.cache.resize(pages);
        self.writers.limit(pages);
    }

    /// Pages that each writer has.
    pub fn writers_pages(&self) -> Vec<u64> {
        self.writers.pages_in(&self.cache).collect()
    }
}

impl FileCache for Written {
    fn serve_chunks(&mut self, scan: Scan, observe: impl FnMut(&Chunk)) {
        let first = scan.first;
        let read_ahead = |written: &Self, ids: &[u32]| written.cache.read_ahead(ids);
        let access = |written: &mut Self, index: usize, object: u32| {
            let Self { cache, writers } = written;
            if let Some(first) = first {
                writers.advance(first + index, cache);
            }
            access(cache, object)
        };
        serve_each(self, scan, read_ahead, access, observe);
    }
}

#[inline]
fn access(cache: &mut LinuxPageCache, object: u32) -> AccessResult {
    match cache.is_settled(object) {
        true => AccessResult::Hit,
        false => opened_and_read(cache, object),
    }
}

fn opened_and_read(cache: &mut LinuxPageCache, object: u32) -> AccessResult {
    let missing = cache.open(object);
    match cache.read(object) {
        _ if missing > 0 => AccessResult::Cold(missing),
        read => AccessResult::of_read(read, cache.pages(object)),
    }
}

/// Serves accesses chunk by chunk in steps that do not wait for each other: which are not held, what the cache has of those,
/// and what the observer makes of each. `access` is told the place of each. Ends early where work on `values` is to end.
#[inline]
pub(crate) fn serve_each<C>(
    cache: &mut C,
    Scan {
        values,
        accesses,
        set,
        ..
    }: Scan,
    read_ahead: impl Fn(&C, &[u32]),
    access: impl Fn(&mut C, usize, u32) -> AccessResult,
    mut observe: impl FnMut(&Chunk),
) {
    let (mut left, mut left_places) = ([0; CHUNK], [0; CHUNK]);
    let mut found = [AccessResult::Held; CHUNK];
    let nothing_held = set.objects().is_empty();
    for (chunk, accesses) in accesses.chunks(CHUNK).enumerate() {
        if values.are_stopped() {
            return;
        }
        let (rest, places) = if nothing_held {
            (accesses, &ALL_PLACES[..accesses.len()])
        } else {
            let count = leave_out(set, accesses, &mut left, &mut left_places);
            (&left[..count], &left_places[..count])
        };
        read_ahead(cache, rest);
        for ((found, &object), &place) in found.iter_mut().zip(rest).zip(places) {
            *found = access(cache, chunk * CHUNK + place, object);
        }
        observe(&Chunk {
            first: chunk * CHUNK,
            accesses,
            rest,
            places,
            found: &found[..rest.len()],
        });
    }
}

/// Puts the accesses to files that `set` does not hold into `left`, and their `places`; how many that are.
#[inline]
fn leave_out(
    set: &HeldSet,
    accesses: &[u32],
    left: &mut [u32; CHUNK],
    places: &mut [usize; CHUNK],
) -> usize {
    let mut count = 0;
    for (place, &object) in accesses.iter().enumerate() {
        (left[count], places[count]) = (object, place);
        count += usize::from(!set.contains(object));
    }
    count
}

/// The page cache, as it is modelled.
pub(crate) enum PageCache {
    WholeFiles(WholeFiles<TwoList>),
    Linux(Box<LinuxPageCache>),
    Written(Box<Written>),
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
                match &test.writers {
                    None => Self::Linux(Box::new(cache)),
                    Some(writers) => {
                        let writers = Writers::clone(writers);
                        let mut written = Written { cache, writers };
                        written.resize(pages);
                        Self::Written(Box::new(written))
                    }
                }
            }
        }
    }

    /// Pages that each writer has; empty without writers.
    pub fn writers_pages(&self) -> Vec<u64> {
        match self {
            Self::WholeFiles(_) | Self::Linux(_) => Vec::new(),
            Self::Written(written) => written.writers_pages(),
        }
    }

    /// Serves an access to `object` of `pages` pages.
    pub fn access(&mut self, object: u32, pages: u64) -> AccessResult {
        match self {
            Self::WholeFiles(cache) => found(&mut cache.0, object, pages),
            Self::Linux(cache) => access(cache, object),
            Self::Written(written) => access(&mut written.cache, object),
        }
    }

    /// Leaves it what `held_pages` do not take.
    pub fn resize_beside(&mut self, test: &Backtest, held_pages: u64) {
        let pages = test.memory_pages.saturating_sub(held_pages);
        match self {
            Self::WholeFiles(cache) => cache.0.resize(pages),
            Self::Linux(cache) => cache.resize(pages),
            Self::Written(written) => written.resize(pages),
        }
    }
}

impl FileCache for PageCache {
    fn serve_chunks(&mut self, scan: Scan, observe: impl FnMut(&Chunk)) {
        match self {
            Self::WholeFiles(cache) => cache.serve_chunks(scan, observe),
            Self::Linux(cache) => cache.serve_chunks(scan, observe),
            Self::Written(written) => written.serve_chunks(scan, observe),
        }
    }
}

/// How the accesses `scored` do with `set` held; the page cache is warm from all those before, `warming`.
pub(crate) fn judge(
    test: &Backtest,
    (warming, scored): (&[u32], &[u32]),
    set: &HeldSet,
) -> Judgement {
    let mut cache = PageCache::beside(test, set.pages());
    cache.warm(Scan::of(&test.values, warming, set).at(0));
    let mut judge = Judge::new(test);
    let scan = Scan::of(&test.values, scored, set).at(warming.len());
    cache.serve(scan, |index, served| {
        judge.add(&test.values, scored[index], served);
    });
    judge.judgement()
}

/// As [`judge`] but for the order of additions and what warms the `cache`, which is empty: [`last_turnovers`]. `counts` are
/// the accesses of each object in `scored`.
///
/// Held files answer most accesses, each alike, so that their number is all that matters: adding them up one by one took a
/// search most of its time.
pub(crate) fn judge_quickly(
    test: &Backtest,
    cache: &mut impl FileCache,
    set: &HeldSet,
    (warming, scored): (&[u32], &[u32]),
    counts: &[u32],
) -> Judgement {
    let (values, mut judge) = (&test.values, Judge::new(test));
    for &object in set.objects() {
        judge.add_times(values, object, AccessResult::Held, counts[object as usize]);
    }
    let first = warming.len();
    let warming = last_turnovers(test, warming, set);
    cache.warm(Scan::of(values, warming, set).at(first - warming.len()));
    let scan = Scan::of(values, scored, set).at(first);
    cache.serve_rest(scan, |object, served| {
        judge.add(values, object, served);
    });
    judge.judgement()
}

/// How often over, in pages asked for, a page cache is filled by the last of the accesses that warm it.
const TURNOVERS: u64 = 64;

/// The last of the accesses `warming`, as many as decide what the page cache beside `set` has at their end: they ask it for
/// [`TURNOVERS`] times its pages. What it keeps is asked for again before it has read its own size from the store, so that
/// this suffices as long as one page in as many is read.
pub(crate) fn last_turnovers<'w>(test: &Backtest, warming: &'w [u32], set: &HeldSet) -> &'w [u32] {
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

/// The last of the accesses `warming` that ask for more pages of different files than memory has: what an LRU cache has at
/// their end depends on no others. It keeps the files accessed last, as many as fit, so that one that started empty is the
/// same as one that saw all that was before from its first eviction on.
pub(crate) fn last_that_fill<'w>(test: &Backtest, warming: &'w [u32]) -> &'w [u32] {
    let mut seen = vec![false; test.objects()];
    let mut pages = 0;
    let first = warming.iter().rposition(|&object| {
        let object_pages = test.values.pages(object);
        // A file larger than memory never enters.
        if object_pages <= test.memory_pages && !std::mem::replace(&mut seen[object as usize], true)
        {
            pages += object_pages;
        }
        pages > test.memory_pages
    });
    &warming[first.unwrap_or(0)..]
}
