//! "Buffer cache" (figure 22): pages with two flags in an active and an inactive queue. It does what
//! [`TwoQueues`](crate::page_cache::TwoQueues) does, drawn page by page.

use hotset_petri::{Page, Place, Time, Unit, Urgent};

use super::page_queue::{CachedPage, PageQueue};
use super::tokens::{PageRequest, PageSet, PageTree as _, Queue};

/// What the cache gives to other pages and takes from them.
pub(super) struct BufferCache<'p> {
    pub tree: &'p Queue<PageSet>,
    pub requests: &'p Queue<PageRequest>,
    pub served: &'p Unit,
}

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
pub(super) fn buffer_cache(page: &mut Page<'_>, memory: &Memory, places: &BufferCache<'_>) {
    page.page("buffer cache", |page| {
        let pages = memory.pages.iter();
        let pages = pages.map(|&number| CachedPage::new(number, Time::ZERO));
        let queues = Queues {
            inactive: page.place("inactive queue", pages),
            active: page.place("active queue", []),
            free: page.unit("free pages", memory.free),
        };
        introduce(page, places, &queues);
        access(page, places, &queues);
        age(page, places, &queues, memory.unused_ns);
        reclaim(page, places, &queues);
    });
}

/// A page comes into the inactive queue with neither flag.
fn introduce(page: &mut Page<'_>, places: &BufferCache<'_>, queues: &Queues) {
    page.transition("introduce page")
        .take(places.requests)
        .take(places.tree)
        .take(&queues.free)
        .when(|(request, _)| request.introduces)
        .put(&queues.inactive)
        .put(places.tree)
        .put(places.served)
        .fire(|(request, tree): (PageRequest, PageSet), _| {
            let page = CachedPage::new(request.page, request.now);
            (page, tree.with(request.page))
        });
}

fn access(page: &mut Page<'_>, places: &BufferCache<'_>, queues: &Queues) {
    page.transition("first access")
        .take(places.requests)
        .join(&queues.inactive, |request: &PageRequest| request.page)
        .when(|(request, page)| !request.introduces && !page.referenced)
        .put(&queues.inactive)
        .put(places.served)
        .fire(|(_, page), _| CachedPage {
            referenced: true,
            ..page
        });
    page.transition("second access")
        .take(places.requests)
        .join(&queues.inactive, |request: &PageRequest| request.page)
        .when(|(request, page)| !request.introduces && page.referenced)
        .put(&queues.active)
        .put(places.served)
        .fire(|(request, page), _| CachedPage {
            active: true,
            since: request.now,
            ..page
        });
    page.transition("later access")
        .take(places.requests)
        .join(&queues.active, |request: &PageRequest| request.page)
        .when(|(request, page)| !request.introduces && page.active)
        .put(&queues.active)
        .put(places.served)
        .fire(|(request, page), _| CachedPage {
            since: request.now,
            ..page
        });
    page.transition("access of a page that left")
        .take(places.requests)
        .take(places.tree)
        .when(|(request, tree)| !request.introduces && !tree.holds(request.page))
        .put(places.tree)
        .put(places.served)
        .fire(|(_, tree), _| tree);
}

/// Enough time has passed since a page was accessed: it goes back before anything else is done.
fn age(page: &mut Page<'_>, places: &BufferCache<'_>, queues: &Queues, unused_ns: u64) {
    page.transition("not used for long enough")
        .take(places.requests)
        .take(&queues.active)
        .when(move |(request, page)| (request.now - page.since).nanos() >= unused_ns)
        .put(places.requests)
        .put(&queues.inactive)
        .urgency(Urgent::HIGH)
        .fire(|(request, page), _| (request, CachedPage::new(page.page, request.now)));
}

/// Memory is full: the page that is inactive for longest leaves.
fn reclaim(page: &mut Page<'_>, places: &BufferCache<'_>, queues: &Queues) {
    page.transition("reclaim")
        .take(places.requests)
        .take(&queues.inactive)
        .take(places.tree)
        .when(|(request, _, _)| request.introduces)
        .unless(&queues.free)
        .put(places.requests)
        .put(places.tree)
        .put(&queues.free)
        .fire(
            |(request, page, tree): (PageRequest, CachedPage, PageSet), _| {
                (request, tree.without(page.page))
            },
        );
    page.transition("make inactive")
        .take(places.requests)
        .take(&queues.active)
        .when(|(request, _)| request.introduces)
        .unless(&queues.free)
        .unless(&queues.inactive)
        .put(places.requests)
        .put(&queues.inactive)
        .fire(|(request, page), _| (request, CachedPage::new(page.page, request.now)));
}
