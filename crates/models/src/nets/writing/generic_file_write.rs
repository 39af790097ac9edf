//! "generic_file_write" (figure 26): a write call goes from page to page. A page is begun, copied and committed.
//!
//! As in the fast form, what a page changes counts from when it was begun: that is where the kernel takes the time of a file's change.

use hotset_petri::{Page, Time};

use super::job::WriteJob;
use super::journaling::Journaling;
use super::places::{Cache, Copies, Kernel, Writes};
use super::tokens::{CacheRequest, Call, Deed};
use super::write_back::WriteBack;
use crate::nets::tokens::{PageTree, Queue};

/// Adds the call.
pub(super) fn generic_file_write<T: PageTree>(
    page: &mut Page<'_>,
    job: &WriteJob,
    writes: &Writes,
    cache: &Cache<T>,
    copies: &Copies,
    kernel: &Kernel,
) {
    page.page("generic_file_write", |page| {
        let begun = page.fifo::<Call>("page begun", []);
        begin(page, job.call_ns, writes, kernel, &begun);
        grab(page, cache, &begun, &copies.to_copy);
        commit(page, cache, copies, kernel);
        page.transition("next page")
            .take(&copies.committed)
            .when(|call| !call.is_due && call.at < call.end)
            .put(&writes.calls)
            .fire(|call: Call, _| call);
        page.transition("return")
            .take(&copies.committed)
            .when(|call| !call.is_due && call.at >= call.end)
            .put(&writes.returned)
            .fire(|call: Call, _| call);
    });
}

/// "Write begin": a page is begun where the journal has room for what it changes. The first of a call takes the call's own time.
fn begin(page: &mut Page<'_>, call_ns: u64, writes: &Writes, kernel: &Kernel, begun: &Queue<Call>) {
    page.transition("write begin")
        .take(&writes.calls)
        .take(&kernel.journal)
        .when(|(_, journal)| journal.has_room())
        .put(begun.timed())
        .put(&kernel.journal)
        .fire(move |(call, journal): (Call, Journaling), firing| {
            let taken = match call.at == call.from {
                true => Time::from_nanos(call_ns),
                false => Time::ZERO,
            };
            let began = firing.now();
            ((taken, Call { began, ..call }), journal)
        });
    page.transition("journal has no room")
        .take(&writes.calls)
        .take(&kernel.journal)
        .when(|(_, journal)| !journal.has_room())
        .put(&kernel.waiting)
        .put(&kernel.journal)
        .put(&kernel.looks)
        .fire(|(call, mut journal): (Call, Journaling), _| {
            journal.ask_for_room();
            let waited = true;
            (Call { waited, ..call }, journal)
        });
}

/// The page comes into memory where it is not. All of it is written, so it is not read.
fn grab<T: PageTree>(
    page: &mut Page<'_>,
    cache: &Cache<T>,
    begun: &Queue<Call>,
    to_copy: &Queue<Call>,
) {
    let adding = page.fifo::<Call>("adding", []);
    page.transition("page is in memory")
        .take(begun)
        .take(&cache.tree)
        .when(|(call, tree)| tree.holds(call.page()))
        .put(to_copy)
        .put(&cache.tree)
        .fire(|(call, tree): (Call, T), _| (call, tree));
    page.transition("add page")
        .take(begun)
        .take(&cache.tree)
        .when(|(call, tree)| !tree.holds(call.page()))
        .put(&adding)
        .put(&cache.tree)
        .put(&cache.requests)
        .fire(|(call, tree): (Call, T), firing| {
            let request = CacheRequest {
                page: call.page(),
                deed: Deed::Introduce,
                now: firing.now(),
            };
            (call, tree, request)
        });
    page.transition("page is added")
        .take(&adding)
        .take(&cache.served)
        .put(to_copy)
        .fire(|call: Call, _| call);
}

/// "Commit write": the change is posted to the journal, and the page is marked dirty. Nothing is written to the disk.
fn commit<T: PageTree>(page: &mut Page<'_>, cache: &Cache<T>, copies: &Copies, kernel: &Kernel) {
    let posted = page.fifo::<Call>("change posted", []);
    let marking = page.fifo::<Call>("marking", []);
    page.transition("update journal")
        .take(&copies.copied)
        .take(&kernel.journal)
        .put(&posted)
        .put(&kernel.journal)
        .put(kernel.commit_timer.maybe().timed())
        .fire(|(call, mut journal): (Call, Journaling), firing| {
            journal.write(call.began, call.page());
            let timer = journal.timer(firing.now());
            (call, journal, timer.map(|length| (length, ())))
        });
    page.transition("dirty buffer")
        .take(&posted)
        .take(&kernel.write_back)
        .put(&marking)
        .put(&kernel.write_back)
        .put(&cache.requests)
        .put(kernel.flusher_timer.maybe().timed())
        .fire(|(call, mut write_back): (Call, WriteBack), firing| {
            let (page, now) = (call.page(), firing.now());
            let (is_due, looks) = write_back.dirty(call.began, page);
            let request = CacheRequest {
                page,
                deed: Deed::Dirty,
                now,
            };
            let call = Call {
                at: call.chunk_end(),
                is_due,
                ..call
            };
            let timer = looks.map(|at| (at - now, ()));
            (call, write_back, request, timer)
        });
    page.transition("page is committed")
        .take(&marking)
        .take(&cache.served)
        .put(&copies.committed)
        .fire(|call: Call, _| call);
}
