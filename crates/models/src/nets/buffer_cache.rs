//! "Buffer cache" (figure 22): pages with two flags in an active and an inactive queue. It does what
//! [`TwoQueues`](crate::page_cache::TwoQueues) does, drawn page by page.

use hotset_petri::{Page, Place, Time, Unit, Urgent};

use super::page_queue::{CachedPage, PageQueue};
use super::places::Cache;
use super::tokens::{PageRequest, PageSet, PageTree as _};

/// What is in memory at first, how much fits, and after which time without an access a page is inactive.
pub(super) struct Memory {
    pub pages: Vec<u64>,
    pub free: u32,
    pub unused_ns: u64,
}

struct Queues {
    inactive: Place<PageQueue>,
    active: Place<PageQueue>,
    free: Unit,
}

/// Adds the cache.
pub(super) fn buffer_cache(page: &mut Page<'_>, memory: &Memory, cache: &Cache<PageSet>) {
    page.page("buffer cache", |page| {
        let pages = memory.pages.iter();
        let pages = pages.map(|&number| CachedPage::new(number, Time::ZERO));
        let queues = Queues {
            inactive: page.place("inactive queue", pages),
            active: page.place("active queue", []),
            free: page.unit("free pages", memory.free),
        };
        introduce(page, cache, &queues);
        access(page, cache, &queues);
        age(page, cache, &queues, memory.unused_ns);
        reclaim(page, cache, &queues);
    });
}

/// A page comes into the inactive queue with neither flag.
fn introduce(page: &mut Page<'_>, cache: &Cache<PageSet>, queues: &Queues) {
    page.transition("introduce page")
        .take(&cache.requests)
        .take(&cache.tree)
        .take(&queues.free)
        .when(|(request, _)| request.introduces)
        .put(&queues.inactive)
        .put(&cache.tree)
        .put(&cache.served)
        .fire(|(request, tree): (PageRequest, PageSet), _| {
            let page = CachedPage::new(request.page, request.now);
            (page, tree.with(request.page))
        });
}

fn access(page: &mut Page<'_>, cache: &Cache<PageSet>, queues: &Queues) {
    page.transition("first access")
        .take(&cache.requests)
        .join(&queues.inactive, |request: &PageRequest| request.page)
        .when(|(request, page)| !request.introduces && !page.referenced)
        .put(&queues.inactive)
        .put(&cache.served)
        .fire(|(_, page), _| CachedPage {
            referenced: true,
            ..page
        });
    page.transition("second access")
        .take(&cache.requests)
        .join(&queues.inactive, |request: &PageRequest| request.page)
        .when(|(request, page)| !request.introduces && page.referenced)
        .put(&queues.active)
        .put(&cache.served)
        .fire(|(request, page), _| CachedPage {
            active: true,
            since: request.now,
            ..page
        });
    page.transition("later access")
        .take(&cache.requests)
        .join(&queues.active, |request: &PageRequest| request.page)
        .when(|(request, page)| !request.introduces && page.active)
        .put(&queues.active)
        .put(&cache.served)
        .fire(|(request, page), _| CachedPage {
            since: request.now,
            ..page
        });
    page.transition("access of a page that left")
        .take(&cache.requests)
        .take(&cache.tree)
        .when(|(request, tree)| !request.introduces && !tree.holds(request.page))
        .put(&cache.tree)
        .put(&cache.served)
        .fire(|(_, tree), _| tree);
}

/// Enough time has passed since a page was accessed: it goes back before anything else is done.
fn age(page: &mut Page<'_>, cache: &Cache<PageSet>, queues: &Queues, unused_ns: u64) {
    let unused = page
        .transition("not used for long enough")
        .take(&cache.requests)
        .take(&queues.active)
        .when(move |(request, page)| (request.now - page.since).nanos() >= unused_ns)
        .put(&cache.requests)
        .put(&queues.inactive)
        .urgency(Urgent::HIGH)
        .fire(|(request, page), _| (request, CachedPage::new(page.page, request.now)));
    page.watch_rate("pages unused for long enough", unused);
}

/// Memory is full: the page that is inactive for longest leaves.
fn reclaim(page: &mut Page<'_>, cache: &Cache<PageSet>, queues: &Queues) {
    page.transition("reclaim")
        .take(&cache.requests)
        .take(&queues.inactive)
        .take(&cache.tree)
        .when(|(request, _, _)| request.introduces)
        .unless(&queues.free)
        .put(&cache.requests)
        .put(&cache.tree)
        .put(&queues.free)
        .fire(
            |(request, page, tree): (PageRequest, CachedPage, PageSet), _| {
                (request, tree.without(page.page))
            },
        );
    page.transition("make inactive")
        .take(&cache.requests)
        .take(&queues.active)
        .when(|(request, _)| request.introduces)
        .unless(&queues.free)
        .unless(&queues.inactive)
        .put(&cache.requests)
        .put(&queues.inactive)
        .fire(|(request, page), _| (request, CachedPage::new(page.page, request.now)));
}
