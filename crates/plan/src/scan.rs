//! Running accesses through held objects and the page cache beside them.

use hotset_cache::{Policy, TwoList};

use crate::problem::{Problem, Served};
use crate::selection::HeldSet;

/// Serves `accesses` from `held` objects, then `cache`; tells `observe` the index and where each was found.
pub(crate) fn serve<P: Policy>(
    problem: &Problem,
    accesses: &[u32],
    held: &[bool],
    cache: &mut P,
    mut observe: impl FnMut(usize, Served),
) {
    for (index, &object) in accesses.iter().enumerate() {
        let served = if held[object as usize] {
            Served::Held
        } else if cache.access(object, problem.pages[object as usize]) {
            Served::Hit
        } else {
            Served::Miss
        };
        observe(index, served);
    }
}

/// The page cache that `held_pages` leave.
pub(crate) fn page_cache(problem: &Problem, held_pages: u64) -> TwoList {
    TwoList::new(
        problem.memory_pages.saturating_sub(held_pages),
        problem.objects(),
    )
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
        &mut page_cache(problem, set.pages),
        |index, served| {
            if index >= scored_from {
                let object = accesses[index] as usize;
                us += problem.response_us[object][served as usize] * problem.weight[object];
                weight += problem.weight[object];
            }
        },
    );
    if weight > 0.0 { us / weight } else { 0.0 }
}
