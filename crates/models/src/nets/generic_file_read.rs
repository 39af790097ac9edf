//! "generic_file_read" (figure 21): a read call goes from page to page.

use hotset_petri::{Delay, Page, Unit};

use super::tokens::{Call, PageRequest, PageSet, PageTree, Queue, UnderWay};
use crate::read_ahead::{Lookup, ReadAheadPolicy};

/// What a read call gives to other pages and takes from them.
pub(super) struct GenericFileRead<'p, T, R> {
    pub calls: &'p Queue<Call>,
    pub returned: &'p Queue<Call>,
    pub tree: &'p Queue<T>,
    pub marked: &'p Queue<PageSet>,
    pub under_way: &'p Queue<UnderWay>,
    pub hit: &'p Queue<Call>,
    pub miss: &'p Queue<Call>,
    pub prefetched: &'p Queue<Call>,
    pub requests: &'p Queue<PageRequest>,
    pub served: &'p Unit,
    pub to_copy: &'p Queue<Call>,
    pub copied: &'p Queue<Call>,
    pub read_ahead: &'p Queue<R>,
}

/// Adds the call, which takes `call_ns` besides the copying.
pub(super) fn generic_file_read<T, R>(
    page: &mut Page<'_>,
    call_ns: u64,
    places: &GenericFileRead<'_, T, R>,
) where
    T: PageTree,
    R: ReadAheadPolicy + hotset_petri::Colour,
{
    page.page("generic_file_read", |page| {
        page.transition("compare with page cache")
            .take(places.calls)
            .take(places.tree)
            .take(places.marked)
            .put(places.hit.maybe())
            .put(places.miss.maybe())
            .put(places.tree)
            .put(places.marked)
            .fire(|(call, tree, marked), _| compare(call, tree, marked));
        wait(page, places);
        page.transition("next page")
            .take(places.copied)
            .when(|call| call.at < call.end)
            .put(places.calls)
            .fire(|call, _| call);
        page.transition("return")
            .take(places.copied)
            .take(places.read_ahead)
            .when(|(call, _)| call.at >= call.end)
            .put(places.returned.after(Delay::constant(call_ns as f64 / 1e9)))
            .put(places.read_ahead)
            .fire(|(call, mut read_ahead), _| {
                let last = Call {
                    at: call.end - 1,
                    ..call
                };
                read_ahead.has_read(last.page());
                (call, read_ahead)
            });
    });
}

/// `cache hit` or `cache miss`, and the mark of a window taken off.
fn compare<T: PageTree>(
    call: Call,
    tree: T,
    marked: PageSet,
) -> (Option<Call>, Option<Call>, T, PageSet) {
    let page = call.page();
    let found = match (tree.holds(page), marked.holds(page)) {
        (false, _) => Lookup::Missing,
        (true, false) => Lookup::Present,
        (true, true) => Lookup::Marked,
    };
    let call = Call { found, ..call };
    match found {
        Lookup::Missing => (None, Some(call), tree, marked),
        Lookup::Present => (Some(call), None, tree, marked),
        Lookup::Marked => (Some(call), None, tree, marked.without(page)),
    }
}

/// A page that is under way is waited for; then it is accessed.
fn wait<T: PageTree, R>(page: &mut Page<'_>, places: &GenericFileRead<'_, T, R>) {
    let waiting = page.fifo::<Call>("waiting for the disk", []);
    let there = page.fifo::<Call>("page is there", []);
    let accessing = page.fifo::<Call>("accessing", []);
    page.transition("page is in memory")
        .take(places.prefetched)
        .take(places.under_way)
        .when(|(call, under_way)| !under_way.holds(call.page()))
        .put(&there)
        .put(places.under_way)
        .fire(|(call, under_way), _| (call, under_way));
    page.transition("wait for page")
        .take(places.prefetched)
        .take(places.under_way)
        .when(|(call, under_way)| under_way.holds(call.page()))
        .put(&waiting)
        .put(places.under_way)
        .fire(|(call, under_way), _| {
            let missed = true;
            (Call { missed, ..call }, under_way)
        });
    page.transition("page has come")
        .take(&waiting)
        .take(places.under_way)
        .when(|(call, under_way)| !under_way.holds(call.page()))
        .put(&there)
        .put(places.under_way)
        .fire(|(call, under_way), _| (call, under_way));
    page.transition("access page")
        .take(&there)
        .put(&accessing)
        .put(places.requests)
        .fire(|call: Call, firing| {
            let request = PageRequest {
                page: call.page(),
                now: firing.now(),
                introduces: false,
            };
            (call, request)
        });
    page.transition("page is accessed")
        .take(&accessing)
        .take(places.served)
        .put(places.to_copy)
        .fire(|call, _| call);
}
