//! "Journal" (figure 27): changes are committed by time and for those who sync, and brought to their own places where room is needed.

use hotset_petri::{Page, Urgent};

use super::dirty_pages::Who;
use super::journaling::{Commit, Journaling};
use super::places::{Kernel, LAST, Writes};
use super::tokens::{Call, Flush, Kind, Request};
use super::walk::{Stage, Walk};
use super::write_back::WriteBack;
use crate::file_system::journal::{Area, Step};
use crate::nets::tokens::Queue;
use crate::read_ahead::LARGEST_REQUEST_BYTES;

/// Adds the journal.
pub(super) fn journal(page: &mut Page<'_>, writes: &Writes, kernel: &Kernel) {
    page.page("journal", |page| {
        time(page, kernel);
        commit(page, writes, kernel);
        ask(page, writes, kernel);
        do_step(page, kernel);
        give_room(page, &writes.calls, kernel);
    });
}

/// A transaction is old enough.
fn time(page: &mut Page<'_>, kernel: &Kernel) {
    page.transition("periodic commit")
        .take(&kernel.commit_timer)
        .take(&kernel.journal)
        .unless(&kernel.looks)
        .put(&kernel.journal)
        .put(kernel.commit_timer.maybe().timed())
        .put(&kernel.looks)
        .urgency(LAST)
        .fire(|((), mut journal): ((), Journaling), firing| {
            journal.end_timer(firing.now());
            let timer = journal.timer(firing.now());
            (journal, timer.map(|length| (length, ())))
        });
}

/// The data that a program waits for is written: its transaction is to be committed, or the disk's own cache flushed.
fn commit(page: &mut Page<'_>, writes: &Writes, kernel: &Kernel) {
    page.transition("commit for fsync")
        .take(&kernel.walk)
        .take(&kernel.journal)
        .when(|(walk, _)| walk.commits())
        .put(&kernel.walk)
        .put(&kernel.journal)
        .put(writes.closed.maybe())
        .put(kernel.flushes.maybe())
        .urgency(Urgent::HIGH)
        .fire(|(walk, mut journal): (Walk, Journaling), _| {
            let Stage::Commits(fsync, _) = walk.stage else {
                return (walk, journal, None, None);
            };
            let (closed, flush) = match journal.commit(fsync) {
                Commit::Done(fsync) => (Some(fsync), None),
                Commit::Waits => (None, None),
                Commit::Flushes(fsync) => (None, Some(Flush::Program(fsync))),
            };
            (walk.has_committed(), journal, closed, flush)
        });
}

/// The journal says what it needs, where all is done that it needed before. A program whose transaction is committed goes on.
fn ask(page: &mut Page<'_>, writes: &Writes, kernel: &Kernel) {
    page.transition("next step")
        .take(&kernel.walk)
        .take(&kernel.journal)
        .when(|(walk, _)| walk.asks())
        .put(&kernel.walk)
        .put(&kernel.journal)
        .put(writes.closed.maybe())
        .put(kernel.commit_timer.maybe().timed())
        .urgency(Urgent::HIGH)
        .fire(|(walk, mut journal): (Walk, Journaling), firing| {
            let (step, closed) = journal.next(firing.now());
            let timer = journal.timer(firing.now());
            let timer = timer.map(|length| (length, ()));
            (walk.needs(step), journal, closed, timer)
        });
}

fn do_step(page: &mut Page<'_>, kernel: &Kernel) {
    page.transition("wait for ordered data")
        .take(&kernel.walk)
        .take(&kernel.journal)
        .take(&kernel.write_back)
        .when(|(walk, _, _)| matches!(walk.step(), Some(Step::Data(_))))
        .put(&kernel.walk)
        .put(&kernel.journal)
        .put(&kernel.write_back)
        .urgency(Urgent::HIGH)
        .fire(
            |(walk, mut journal, mut write_back): (Walk, Journaling, WriteBack), _| {
                if !write_back.pages.are_written() {
                    write_back.pages.wait(Who::Journal);
                    journal.begin(1);
                }
                (walk.at(Stage::Asks), journal, write_back)
            },
        );
    write(page, kernel, "write to the journal", Area::Log);
    write(page, kernel, "checkpoint", Area::Home);
    page.transition("flush for the journal")
        .take(&kernel.walk)
        .take(&kernel.journal)
        .when(|(walk, _)| matches!(walk.step(), Some(Step::Flush)))
        .put(&kernel.walk)
        .put(&kernel.journal)
        .put(kernel.flushes.maybe())
        .urgency(Urgent::HIGH)
        .fire(|(walk, mut journal): (Walk, Journaling), _| {
            let flush = journal.flushes().then_some(Flush::Journal);
            journal.begin(usize::from(flush.is_some()));
            (walk.at(Stage::Asks), journal, flush)
        });
}

/// The journal has blocks written: to itself, or to their own places.
fn write(page: &mut Page<'_>, kernel: &Kernel, name: &str, to: Area) {
    let is_meant = move |walk: &Walk| match walk.step() {
        Some(Step::Write { area, .. }) => *area == to,
        _ => false,
    };
    page.transition(name)
        .take(&kernel.walk)
        .take(&kernel.journal)
        .when(move |(walk, _)| is_meant(walk))
        .put(&kernel.walk)
        .put(&kernel.journal)
        .put(kernel.to_disk.submitted.many())
        .urgency(Urgent::HIGH)
        .fire(move |(walk, mut journal): (Walk, Journaling), _| {
            let requests = match walk.step() {
                Some(Step::Write { places, .. }) => requests(to, places),
                _ => Vec::new(),
            };
            journal.begin(requests.len());
            (walk.at(Stage::Asks), journal, requests)
        });
}

/// Requests for places, none larger than the disk takes.
fn requests(area: Area, places: &[(u64, u64)]) -> Vec<Request> {
    let kind = match area {
        Area::Log => Kind::Log,
        Area::Home => Kind::Home,
    };
    let mut requests = Vec::new();
    for &(offset, bytes) in places {
        let end = offset + bytes;
        let mut at = offset;
        while at < end {
            let part = LARGEST_REQUEST_BYTES.min(end - at);
            requests.push(Request::new(kind, at, part, 0));
            at += part;
        }
    }
    requests
}

/// A call that waits for room goes on where there is some.
fn give_room(page: &mut Page<'_>, calls: &Queue<Call>, kernel: &Kernel) {
    page.transition("there is room")
        .take(&kernel.walk)
        .take(&kernel.journal)
        .take(&kernel.waiting)
        .when(|(walk, journal, _)| walk.gives_room() && journal.has_room())
        .put(&kernel.walk)
        .put(&kernel.journal)
        .put(calls)
        .urgency(Urgent::HIGH)
        .fire(|(walk, journal, call): (Walk, Journaling, Call), _| {
            (walk.has_given_room(), journal, call)
        });
    page.transition("there is no room yet")
        .take(&kernel.walk)
        .take(&kernel.journal)
        .take(&kernel.waiting)
        .when(|(walk, journal, _)| walk.gives_room() && !journal.has_room())
        .put(&kernel.walk)
        .put(&kernel.journal)
        .put(&kernel.waiting)
        .urgency(Urgent::HIGH)
        .fire(|(walk, mut journal, call): (Walk, Journaling, Call), _| {
            journal.ask_for_room();
            (walk.has_given_room(), journal, call)
        });
    page.transition("nobody waits for room")
        .take(&kernel.walk)
        .when(Walk::gives_room)
        .unless(&kernel.waiting)
        .put(&kernel.walk)
        .urgency(Urgent::HIGH)
        .fire(|walk: Walk, _| walk.has_given_room());
}
