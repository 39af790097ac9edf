//! "Buffer cache" (figure 22) of a file that is written: pages come into the inactive queue, and dirty ones stay out of reach of reclaim
//! until they are on the disk. Writing is no access, so nothing comes into the active queue.
//!
//! It does what [`TwoQueues`](crate::page_cache::TwoQueues) does, drawn page by page.

use hotset_petri::{Firing, Page, Place, Unit, Urgent};

use super::places::Cache;
use super::tokens::{CacheRequest, Deed};
use crate::nets::page_queue::{CachedPage, PageQueue};
use crate::nets::tokens::PageSet;

struct Queues {
    inactive: Place<PageQueue>,
    dirty: Place<PageQueue>,
    free: Unit,
    /// Pages beyond what fits: nothing could leave for them.
    beyond: Unit,
}

/// Adds the cache, into which so many pages fit.
pub(super) fn buffer_cache(page: &mut Page<'_>, free: u32, cache: &Cache<PageSet>) {
    page.page("buffer cache", |page| {
        let queues = Queues {
            inactive: page.place("inactive queue", []),
            dirty: page.place("dirty buffers", []),
            free: page.unit("free pages", free),
            beyond: page.unit("pages beyond memory", 0),
        };
        introduce(page, cache, &queues);
        mark(page, cache, &queues);
        reclaim(page, cache, &queues);
    });
}

/// A page comes into the inactive queue.
fn introduce(page: &mut Page<'_>, cache: &Cache<PageSet>, queues: &Queues) {
    page.transition("introduce page")
        .take(&cache.requests)
        .take(&cache.tree)
        .take(&queues.free)
        .when(|(request, _)| request.deed == Deed::Introduce)
        .put(&queues.inactive)
        .put(&cache.tree)
        .put(&cache.served)
        .fire(|(request, tree): (CacheRequest, PageSet), _| introduced(request, tree));
    page.transition("introduce page beyond memory")
        .take(&cache.requests)
        .take(&cache.tree)
        .when(|(request, _)| request.deed == Deed::Introduce)
        .unless(&queues.free)
        .unless(&queues.inactive)
        .put(&queues.inactive)
        .put(&cache.tree)
        .put(&cache.served)
        .put(&queues.beyond)
        .fire(|(request, tree): (CacheRequest, PageSet), _| introduced(request, tree));
}

fn introduced(request: CacheRequest, tree: PageSet) -> (CachedPage, PageSet) {
    let page = CachedPage::new(request.page, request.now);
    (page, tree.with(request.page))
}

fn mark(page: &mut Page<'_>, cache: &Cache<PageSet>, queues: &Queues) {
    page.transition("mark page dirty")
        .take(&cache.requests)
        .join(&queues.inactive, |request: &CacheRequest| request.page)
        .when(|(request, _)| request.deed == Deed::Dirty)
        .put(&queues.dirty)
        .put(&cache.served)
        .fire(|(_, page): (CacheRequest, CachedPage), _| page);
    page.transition("page is dirty already")
        .take(&cache.requests)
        .join(&queues.dirty, |request: &CacheRequest| request.page)
        .when(|(request, _)| request.deed == Deed::Dirty)
        .put(&queues.dirty)
        .put(&cache.served)
        .fire(|(_, page): (CacheRequest, CachedPage), _| page);
    // It has its place in the queue again.
    page.transition("mark page clean")
        .take(&cache.requests)
        .join(&queues.dirty, |request: &CacheRequest| request.page)
        .when(|(request, _)| request.deed == Deed::Clean)
        .put(&queues.inactive)
        .fire(|(_, page): (CacheRequest, CachedPage), _| page);
}

/// Memory is full: the page that is inactive for longest leaves, and before it those beyond memory.
fn reclaim(page: &mut Page<'_>, cache: &Cache<PageSet>, queues: &Queues) {
    page.transition("reclaim")
        .take(&cache.requests)
        .take(&queues.inactive)
        .take(&cache.tree)
        .when(|(request, _, _)| request.deed == Deed::Introduce)
        .unless(&queues.free)
        .unless(&queues.beyond)
        .put(&cache.requests)
        .put(&cache.tree)
        .put(&queues.free)
        .fire(leave);
    page.transition("reclaim beyond memory")
        .take(&cache.requests)
        .take(&queues.inactive)
        .take(&cache.tree)
        .take(&queues.beyond)
        .when(|(request, _, _)| request.deed == Deed::Introduce)
        .put(&cache.requests)
        .put(&cache.tree)
        .urgency(Urgent::HIGH)
        .fire(leave);
}

fn leave(
    (request, page, tree): (CacheRequest, CachedPage, PageSet),
    _: &mut Firing<'_>,
) -> (CacheRequest, PageSet) {
    (request, tree.without(page.page))
}
