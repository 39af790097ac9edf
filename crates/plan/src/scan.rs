//! Running accesses through held objects and the page cache beside them.

use hotset_cache::{Policy, TwoList};

use crate::linux::Linux;
use crate::problem::{Problem, Served};
use crate::selection::HeldSet;

/// What keeps files that are not held.
pub(crate) trait FileCache {
    /// Serves an access to `object`.
    fn serve(&mut self, problem: &Problem, object: u32) -> Served;
}

/// A cache of whole files.
pub(crate) struct WholeFiles<P>(pub P);

impl<P: Policy> FileCache for WholeFiles<P> {
    #[inline]
    fn serve(&mut self, problem: &Problem, object: u32) -> Served {
        if self.0.access(object, problem.pages[object as usize]) {
            Served::Hit
        } else {
            Served::Miss
        }
    }
}

/// The page cache, as it is modelled.
pub(crate) enum PageCache {
    WholeFiles(WholeFiles<TwoList>),
    Linux(Box<Linux>),
}

impl PageCache {
    /// The page cache that `held_pages` leave.
    pub fn beside(problem: &Problem, held_pages: u64) -> Self {
        let pages = problem.memory_pages.saturating_sub(held_pages);
        match &problem.linux {
            None => Self::WholeFiles(WholeFiles(TwoList::new(pages, problem.objects()))),
            Some(empty) => {
                let mut cache = Linux::clone(empty);
                cache.resize(pages);
                Self::Linux(Box::new(cache))
            }
        }
    }

    /// Leaves it what `held_pages` do not take.
    pub fn resize_beside(&mut self, problem: &Problem, held_pages: u64) {
        let pages = problem.memory_pages.saturating_sub(held_pages);
        match self {
            Self::WholeFiles(cache) => cache.0.resize(pages),
            Self::Linux(cache) => cache.resize(pages),
        }
    }
}

impl FileCache for PageCache {
    #[inline]
    fn serve(&mut self, problem: &Problem, object: u32) -> Served {
        match self {
            Self::WholeFiles(cache) => cache.serve(problem, object),
            Self::Linux(cache) => cache.serve(problem, object),
        }
    }
}

/// Serves `accesses` from `held` objects, then `cache`; tells `observe` the index and where each was found.
pub(crate) fn serve<C: FileCache>(
    problem: &Problem,
    accesses: &[u32],
    held: &[bool],
    cache: &mut C,
    mut observe: impl FnMut(usize, Served),
) {
    for (index, &object) in accesses.iter().enumerate() {
        let served = if held[object as usize] {
            Served::Held
        } else {
            cache.serve(problem, object)
        };
        observe(index, served);
    }
}

/// Weighted mean response, in microseconds, of the accesses from `scored_from` on with `set` held; the
/// page cache is warm from those before.
pub(crate) fn mean_us(
    problem: &Problem,
    accesses: &[u32],
    set: &HeldSet,
    scored_from: usize,
) -> f64 {
    let (mut us, mut weight) = (0.0, 0.0);
    serve(
        problem,
        accesses,
        &set.held,
        &mut PageCache::beside(problem, set.pages),
        |index, served| {
            if index >= scored_from {
                let object = accesses[index];
                us += problem.response_us(object, served) * problem.weight[object as usize];
                weight += problem.weight[object as usize];
            }
        },
    );
    if weight > 0.0 { us / weight } else { 0.0 }
}
