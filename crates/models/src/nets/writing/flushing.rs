//! "Data flushing" (figure 28): dirty pages are written by time, by the dirty ratio, and for fsync. Little memory has the ratio come sooner.

use hotset_petri::{Page, Urgent};

use super::dirty_pages::Who;
use super::journaling::{Commit, Journaling};
use super::places::{Kernel, Writes};
use super::tokens::{Flush, Fsync};
use super::walk::Walk;
use super::write_back::WriteBack;

/// Adds what has pages written, and their handing over.
pub(super) fn flushing(page: &mut Page<'_>, writes: &Writes, kernel: &Kernel) {
    page.page("data flushing", |page| {
        time(page, kernel);
        fsync(page, writes, kernel);
        begin(page, kernel);
        hand_over(page, kernel);
        look(page, kernel);
    });
}

/// The flusher looks for what is dirty for long.
fn time(page: &mut Page<'_>, kernel: &Kernel) {
    page.transition("periodic timer")
        .take(&kernel.flusher_timer)
        .take(&kernel.write_back)
        .take(&kernel.journal)
        .unless(&kernel.looks)
        .put(&kernel.write_back)
        .put(&kernel.journal)
        .put(kernel.flusher_timer.maybe().timed())
        .put(&kernel.looks)
        .urgency(Urgent::LOW)
        .fire(
            |((), mut write_back, mut journal): ((), WriteBack, Journaling), firing| {
                let (again, before_ns) = write_back.look(firing.now(), journal.has_kept());
                journal.write_home(before_ns);
                (write_back, journal, again.map(|length| (length, ())))
            },
        );
}

/// A program waits until the file is on the disk.
fn fsync(page: &mut Page<'_>, writes: &Writes, kernel: &Kernel) {
    page.transition("fsync")
        .take(&writes.fsyncs)
        .take(&kernel.write_back)
        .when(|(_, write_back)| !write_back.pages.are_written())
        .put(&kernel.write_back)
        .put(&kernel.looks)
        .fire(|(fsync, mut write_back): (Fsync, WriteBack), _| {
            write_back.pages.wait(Who::Program(fsync));
            write_back
        });
    page.transition("fsync of a file that is written")
        .take(&writes.fsyncs)
        .take(&kernel.write_back)
        .take(&kernel.journal)
        .when(|(_, write_back, _)| write_back.pages.are_written())
        .put(&kernel.write_back)
        .put(&kernel.journal)
        .put(writes.closed.maybe())
        .put(kernel.flushes.maybe())
        .put(&kernel.looks)
        .fire(
            |(fsync, write_back, mut journal): (Fsync, WriteBack, Journaling), _| {
                let (closed, flush) = match journal.commit(fsync) {
                    Commit::Done(fsync) => (Some(fsync), None),
                    Commit::Waits => (None, None),
                    Commit::Flushes(fsync) => (None, Some(Flush::Program(fsync))),
                };
                (write_back, journal, closed, flush)
            },
        );
}

/// Write-back begins.
fn begin(page: &mut Page<'_>, kernel: &Kernel) {
    for (name, reason, walk) in [
        ("look for something to do", &kernel.looks, Walk::looking()),
        ("dirty ratio", &kernel.presses, Walk::pressed()),
        ("look after pages came", &kernel.arrivals, Walk::of_disk()),
    ] {
        page.transition(name)
            .take(&kernel.walk)
            .take(reason)
            .when(Walk::rests)
            .put(&kernel.walk)
            .urgency(Urgent::HIGH)
            .fire(move |_: Walk, _| walk.clone());
    }
}

/// Pages go to the disk as long as it may have more: those that somebody waits for first.
fn hand_over(page: &mut Page<'_>, kernel: &Kernel) {
    let awaited = |walk: &Walk, write_back: &WriteBack| {
        let pages = &write_back.pages;
        walk.hands_over() && pages.has_slot() && pages.are_waited_for()
    };
    page.transition("hand over for fsync")
        .take(&kernel.walk)
        .take(&kernel.write_back)
        .when(move |(walk, write_back)| awaited(walk, write_back))
        .put(&kernel.walk)
        .put(&kernel.write_back)
        .put(kernel.runs.maybe())
        .urgency(Urgent::HIGH)
        .fire(|(walk, mut write_back): (Walk, WriteBack), firing| {
            let run = write_back.take_awaited(firing.now());
            (walk, write_back, run)
        });
    page.transition("hand over what is old or too much")
        .take(&kernel.walk)
        .take(&kernel.write_back)
        .when(move |(walk, write_back)| walk.hands_over() && !awaited(walk, write_back))
        .put(&kernel.walk)
        .put(&kernel.write_back)
        .put(kernel.runs.maybe())
        .urgency(Urgent::HIGH)
        .fire(|(walk, mut write_back): (Walk, WriteBack), firing| {
            let run = match write_back.pages.has_slot() {
                true => write_back.take_old(firing.now()),
                false => None,
            };
            let walk = match run {
                Some(_) => walk,
                None => walk.has_handed_over(),
            };
            (walk, write_back, run)
        });
}

/// Those who wait for the file are looked at; then write-back ends.
fn look(page: &mut Page<'_>, kernel: &Kernel) {
    page.transition("is data written")
        .take(&kernel.walk)
        .take(&kernel.write_back)
        .take(&kernel.journal)
        .when(|(walk, _, _)| walk.looks())
        .put(&kernel.walk)
        .put(&kernel.write_back)
        .put(&kernel.journal)
        .urgency(Urgent::HIGH)
        .fire(
            |(walk, mut write_back, mut journal): (Walk, WriteBack, Journaling), _| {
                let walk = match write_back.pages.take_over() {
                    Some(Who::Program(fsync)) => walk.goes_on(Some(fsync)),
                    Some(Who::Journal) => {
                        journal.end();
                        walk.goes_on(None)
                    }
                    None => walk.has_looked(),
                };
                (walk, write_back, journal)
            },
        );
    page.transition("rest")
        .take(&kernel.walk)
        .take(&kernel.write_back)
        .when(|(walk, _)| walk.ends())
        .put(&kernel.walk)
        .put(&kernel.write_back)
        .urgency(Urgent::HIGH)
        .fire(|(walk, mut write_back): (Walk, WriteBack), firing| {
            if walk.is_of_disk() {
                write_back.rest(firing.now());
            }
            (Walk::resting(), write_back)
        });
}
