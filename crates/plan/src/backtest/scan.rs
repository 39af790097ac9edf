//! Running accesses through held files and the page cache beside them.

use hotset_cache::{LinuxPageCache, Policy, StoreRead, TwoList};

use super::prepare::Backtest;
use crate::select::HeldSet;
use crate::value::{Served, Values};

/// What keeps files that are not held.
pub(super) trait FileCache {
    /// Serves an access to `object`.
    fn serve(&mut self, values: &Values, object: u32) -> Served;
}

/// A cache of whole files.
pub(super) struct WholeFiles<P>(pub P);

impl<P: Policy> FileCache for WholeFiles<P> {
    #[inline]
    fn serve(&mut self, values: &Values, object: u32) -> Served {
        if self.0.access(object, values.pages(object)) {
            Served::Hit
        } else {
            Served::Miss
        }
    }
}

impl FileCache for LinuxPageCache {
    fn serve(&mut self, values: &Values, object: u32) -> Served {
        let missing = self.open(object);
        match self.read(object) {
            _ if missing > 0 => Served::Cold(missing),
            StoreRead { pages: 0, .. } => Served::Hit,
            StoreRead { pages, gaps: 1 } if pages == values.pages(object) => Served::Miss,
            part => Served::Part(part),
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
    #[inline]
    fn serve(&mut self, values: &Values, object: u32) -> Served {
        match self {
            Self::WholeFiles(cache) => cache.serve(values, object),
            Self::Linux(cache) => cache.serve(values, object),
        }
    }
}

/// Serves `accesses` from `set`, then `cache`; tells `observe` the index and where each was found.
pub(super) fn serve<C: FileCache>(
    values: &Values,
    accesses: &[u32],
    set: &HeldSet,
    cache: &mut C,
    mut observe: impl FnMut(usize, Served),
) {
    for (index, &object) in accesses.iter().enumerate() {
        let served = if set.contains(object) {
            Served::Held
        } else {
            cache.serve(values, object)
        };
        observe(index, served);
    }
}

/// Weighted mean response, in microseconds, of the accesses from `scored_from` on with `set` held; the
/// page cache is warm from those before.
pub(super) fn mean_us(test: &Backtest, accesses: &[u32], set: &HeldSet, scored_from: usize) -> f64 {
    let (values, mut us, mut weight) = (&*test.values, 0.0, 0.0);
    let mut cache = PageCache::beside(test, set.pages());
    serve(values, accesses, set, &mut cache, |index, served| {
        if index >= scored_from {
            let object = accesses[index];
            us += values.response_us(object, served) * values.weight(object);
            weight += values.weight(object);
        }
    });
    if weight > 0.0 { us / weight } else { 0.0 }
}
