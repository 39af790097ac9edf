//! "Read-ahead" (the pre-fetch mechanism of chapter 4.3): what a policy wants ahead is added to the page cache page by page, and
//! read run by run.

use hotset_petri::{Colour, Page};

use super::places::{Cache, Lookups, Runs};
use super::tokens::{Call, PageRequest, PageTree, Prefetch, Queue};
use crate::read_ahead::ReadAheadPolicy;

/// Adds read-ahead for a file of so many pages.
pub(super) fn read_ahead<T: PageTree, R: ReadAheadPolicy + Colour>(
    page: &mut Page<'_>,
    file_pages: u64,
    cache: &Cache<T>,
    lookups: &Lookups<R>,
    runs: &Runs,
) {
    page.page("read-ahead", |page| {
        let windows = page.fifo::<Prefetch>("windows", []);
        for (name, from) in [
            ("choose windows after a hit", &lookups.hit),
            ("choose windows after a miss", &lookups.miss),
        ] {
            page.transition(name)
                .take(from)
                .take(&lookups.read_ahead)
                .take(&cache.tree)
                .put(&windows)
                .put(&lookups.read_ahead)
                .put(&cache.tree)
                .fire(move |(call, mut state, tree): (Call, R, T), _| {
                    let holds = |page| tree.holds(page);
                    let mut chosen = Vec::new();
                    let (page, wanted) = (call.page(), call.wanted());
                    state.choose(page, wanted, call.found, &holds, &mut chosen);
                    (Prefetch::new(call, chosen, file_pages), state, tree)
                });
        }
        add_pages(page, &windows, cache, lookups, runs);
        page.transition("end of window")
            .take(&windows)
            .when(|it| it.has_window() && !it.has_page() && !it.has_run())
            .put(&windows)
            .fire(|it: Prefetch, _| it.end_window());
        page.transition("end of windows")
            .take(&windows)
            .when(|it| !it.has_window())
            .put(&lookups.prefetched)
            .fire(|it: Prefetch, _| it.call);
    });
}

fn add_pages<T: PageTree, R>(
    page: &mut Page<'_>,
    windows: &Queue<Prefetch>,
    cache: &Cache<T>,
    lookups: &Lookups<R>,
    runs: &Runs,
) {
    let adding = page.fifo::<Prefetch>("adding", []);
    let reading = page.fifo::<Prefetch>("reading", []);
    page.transition("page is in memory")
        .take(windows)
        .take(&cache.tree)
        .when(|(it, tree)| it.has_page() && !it.has_run() && tree.holds(it.at))
        .put(windows)
        .put(&cache.tree)
        .fire(|(it, tree), _| (it.skipped(), tree));
    page.transition("add page")
        .take(windows)
        .take(&cache.tree)
        .when(|(it, tree)| it.has_page() && !tree.holds(it.at))
        .put(&adding)
        .put(&cache.tree)
        .put(&cache.requests)
        .fire(|(it, tree), firing| {
            let request = PageRequest {
                page: it.at,
                now: firing.now(),
                introduces: true,
            };
            (it, tree, request)
        });
    page.transition("page is added")
        .take(&adding)
        .take(&lookups.under_way)
        .take(&lookups.marked)
        .take(&cache.served)
        .put(windows)
        .put(&lookups.under_way)
        .put(&lookups.marked)
        .fire(|(it, under_way, marked), firing| {
            let page = it.at;
            // Whatever was marked there has left memory.
            let marked = match it.is_marker() {
                true => marked.with(page),
                false => marked.without(page),
            };
            (it.added(), under_way.with(page, firing.now()), marked)
        });
    page.transition("read pages")
        .take(windows)
        .take(&cache.tree)
        .when(|(it, tree)| it.has_run() && (!it.has_page() || tree.holds(it.at)))
        .put(&reading)
        .put(&cache.tree)
        .put(&runs.runs)
        .fire(|(it, tree), firing| {
            let (it, run) = it.take_run(firing.now());
            (it, tree, run)
        });
    page.transition("pages are asked for")
        .take(&reading)
        .take(&runs.mapped)
        .put(windows)
        .fire(|it, _| it);
}
