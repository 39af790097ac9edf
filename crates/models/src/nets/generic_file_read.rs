//! "generic_file_read" (figure 21): a read call goes from page to page.

use hotset_petri::{Colour, Delay, Page};

use super::places::{Cache, Lookups, Reads};
use super::tokens::{Call, PageRequest, PageSet, PageTree};
use crate::read_ahead::{Lookup, ReadAheadPolicy};

/// Adds the call, which takes `call_ns` besides the copying.
pub(super) fn generic_file_read<T: PageTree, R: ReadAheadPolicy + Colour>(
    page: &mut Page<'_>,
    call_ns: u64,
    reads: &Reads,
    cache: &Cache<T>,
    lookups: &Lookups<R>,
) {
    page.page("generic_file_read", |page| {
        page.transition("compare with page cache")
            .take(&reads.calls)
            .take(&cache.tree)
            .take(&lookups.marked)
            .put(lookups.hit.maybe())
            .put(lookups.miss.maybe())
            .put(&cache.tree)
            .put(&lookups.marked)
            .fire(|(call, tree, marked), _| compare(call, tree, marked));
        wait(page, cache, lookups);
        page.transition("next page")
            .take(&lookups.copied)
            .when(|call| call.at < call.end)
            .put(&reads.calls)
            .fire(|call, _| call);
        page.transition("return")
            .take(&lookups.copied)
            .take(&lookups.read_ahead)
            .when(|(call, _)| call.at >= call.end)
            .put(reads.returned.after(Delay::constant(call_ns as f64 / 1e9)))
            .put(&lookups.read_ahead)
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
fn wait<T, R>(page: &mut Page<'_>, cache: &Cache<T>, lookups: &Lookups<R>) {
    let waiting = page.fifo::<Call>("waiting for the disk", []);
    let there = page.fifo::<Call>("page is there", []);
    let accessing = page.fifo::<Call>("accessing", []);
    page.transition("page is in memory")
        .take(&lookups.prefetched)
        .take(&lookups.under_way)
        .when(|(call, under_way)| !under_way.holds(call.page()))
        .put(&there)
        .put(&lookups.under_way)
        .fire(|(call, under_way), _| (call, under_way));
    page.transition("wait for page")
        .take(&lookups.prefetched)
        .take(&lookups.under_way)
        .when(|(call, under_way)| under_way.holds(call.page()))
        .put(&waiting)
        .put(&lookups.under_way)
        .fire(|(call, under_way), _| {
            let missed = true;
            (Call { missed, ..call }, under_way)
        });
    page.transition("page has come")
        .take(&waiting)
        .take(&lookups.under_way)
        .when(|(call, under_way)| !under_way.holds(call.page()))
        .put(&there)
        .put(&lookups.under_way)
        .fire(|(call, under_way), _| (call, under_way));
    page.transition("access page")
        .take(&there)
        .put(&accessing)
        .put(&cache.requests)
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
        .take(&cache.served)
        .put(&lookups.to_copy)
        .fire(|call, _| call);
}
