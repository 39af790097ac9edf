//! "Read-ahead" (the pre-fetch mechanism of chapter 4.3): what a policy wants ahead is added to the page cache page by page, and
//! read run by run.

use hotset_petri::{Colour, Page, Unit};

use super::tokens::{Call, PageRequest, PageSet, PageTree, Prefetch, Queue, Run, UnderWay};
use crate::read_ahead::ReadAheadPolicy;

/// What read-ahead gives to other pages and takes from them.
pub(super) struct ReadAheadPlaces<'p, T, R> {
    pub hit: &'p Queue<Call>,
    pub miss: &'p Queue<Call>,
    pub prefetched: &'p Queue<Call>,
    pub tree: &'p Queue<T>,
    pub marked: &'p Queue<PageSet>,
    pub under_way: &'p Queue<UnderWay>,
    pub requests: &'p Queue<PageRequest>,
    pub served: &'p Unit,
    pub state: &'p Queue<R>,
    pub runs: &'p Queue<Run>,
    pub mapped: &'p Unit,
}

/// Adds read-ahead for a file of so many pages.
pub(super) fn read_ahead<T: PageTree, R: ReadAheadPolicy + Colour>(
    page: &mut Page<'_>,
    file_pages: u64,
    places: &ReadAheadPlaces<'_, T, R>,
) {
    page.page("read-ahead", |page| {
        let windows = page.fifo::<Prefetch>("windows", []);
        for (name, from) in [
            ("choose windows after a hit", places.hit),
            ("choose windows after a miss", places.miss),
        ] {
            page.transition(name)
                .take(from)
                .take(places.state)
                .take(places.tree)
                .put(&windows)
                .put(places.state)
                .put(places.tree)
                .fire(move |(call, mut state, tree): (Call, R, T), _| {
                    let holds = |page| tree.holds(page);
                    let mut chosen = Vec::new();
                    let (page, wanted) = (call.page(), call.wanted());
                    state.choose(page, wanted, call.found, &holds, &mut chosen);
                    (Prefetch::new(call, chosen, file_pages), state, tree)
                });
        }
        add_pages(page, &windows, places);
        page.transition("end of window")
            .take(&windows)
            .when(|it| it.has_window() && !it.has_page() && !it.has_run())
            .put(&windows)
            .fire(|it: Prefetch, _| it.end_window());
        page.transition("end of windows")
            .take(&windows)
            .when(|it| !it.has_window())
            .put(places.prefetched)
            .fire(|it: Prefetch, _| it.call);
    });
}

fn add_pages<T: PageTree, R>(
    page: &mut Page<'_>,
    windows: &Queue<Prefetch>,
    places: &ReadAheadPlaces<'_, T, R>,
) {
    let adding = page.fifo::<Prefetch>("adding", []);
    let reading = page.fifo::<Prefetch>("reading", []);
    page.transition("page is in memory")
        .take(windows)
        .take(places.tree)
        .when(|(it, tree)| it.has_page() && !it.has_run() && tree.holds(it.at))
        .put(windows)
        .put(places.tree)
        .fire(|(it, tree), _| (it.skipped(), tree));
    page.transition("add page")
        .take(windows)
        .take(places.tree)
        .when(|(it, tree)| it.has_page() && !tree.holds(it.at))
        .put(&adding)
        .put(places.tree)
        .put(places.requests)
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
        .take(places.under_way)
        .take(places.marked)
        .take(places.served)
        .put(windows)
        .put(places.under_way)
        .put(places.marked)
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
        .take(places.tree)
        .when(|(it, tree)| it.has_run() && (!it.has_page() || tree.holds(it.at)))
        .put(&reading)
        .put(places.tree)
        .put(places.runs)
        .fire(|(it, tree), firing| {
            let (it, run) = it.take_run(firing.now());
            (it, tree, run)
        });
    page.transition("pages are asked for")
        .take(&reading)
        .take(places.mapped)
        .put(windows)
        .fire(|it, _| it);
}
