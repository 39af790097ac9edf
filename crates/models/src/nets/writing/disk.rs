//! "Disk" (figure 29): one request at a time, and what it has written; its own cache is flushed beside.

use hotset_petri::{Colour, Monitor, Page, Time};

use super::journaling::Journaling;
use super::places::{AT_ONCE, Cache, Kernel, Writes};
use super::tokens::{CacheRequest, Deed, Flush, Kind, Request};
use super::write_back::WriteBack;
use crate::nets::disk::NetDisk;
use crate::nets::tokens::{PageTree, Queue};

/// A request whose place is found, and how long its bytes take to pass.
#[derive(Clone, Copy, Debug)]
struct Found {
    request: Request,
    passes: Time,
}

impl Colour for Found {}

/// Finds the place of a request from now on: how long that takes, and how long its bytes take to pass.
fn find(disk: &mut NetDisk, now: Time, request: &Request) -> (Time, Time) {
    match disk {
        NetDisk::Constant {
            delay_ns,
            ns_per_byte,
            ..
        } => {
            let passing_ns = (request.bytes as f64 * *ns_per_byte) as u64;
            (Time::from_nanos(*delay_ns), Time::from_nanos(passing_ns))
        }
        NetDisk::Drive(drive) => {
            let done_ns = drive
                .write(now.nanos(), request.offset, request.bytes)
                .done_ns;
            (Time::from_nanos(done_ns) - now, Time::ZERO)
        }
    }
}

/// Adds a disk, whose own cache takes so long to be flushed.
pub(super) fn disk<T: PageTree>(
    page: &mut Page<'_>,
    (kind, flush_ns): (&NetDisk, u64),
    writes: &Writes,
    cache: &Cache<T>,
    kernel: &Kernel,
) {
    page.page("disk", |page| {
        let finished = page.fifo::<Request>("finished requests", []);
        serve(page, kind, kernel, &finished);
        end_data(page, cache, kernel, &finished);
        end_journal(page, kernel, &finished);
        flush(page, flush_ns, writes, kernel);
    });
}

/// Bytes of a request pass while the place of the next one is sought.
fn serve(page: &mut Page<'_>, kind: &NetDisk, kernel: &Kernel, finished: &Queue<Request>) {
    let mechanics = page.fifo("mechanics", [kind.clone()]);
    let found = page.fifo::<Found>("found", []);
    let channel = page.unit("nothing passes", 1);
    let serve = page
        .transition("serve request")
        .take(&kernel.to_disk.dispatched)
        .take(&mechanics)
        .put(&found)
        .put(&mechanics)
        .put(&kernel.to_disk.idle)
        .fire(|(request, mut mechanics): (Request, NetDisk), firing| {
            let (takes, passes) = find(&mut mechanics, firing.now(), &request);
            firing.delay_by(takes.secs());
            (Found { request, passes }, mechanics)
        });
    page.transition("pass bytes")
        .take(&found)
        .take(&channel)
        .put(finished)
        .put(&channel)
        .fire(|found: Found, firing| {
            firing.delay_by(found.passes.secs());
            found.request
        });
    page.watch_rate("requests", serve);
    page.watch_busy("utilisation", &kernel.to_disk.idle, 1);
}

/// Pages have come to the disk, one by one; then those who wait for them are looked at.
fn end_data<T: PageTree>(
    page: &mut Page<'_>,
    cache: &Cache<T>,
    kernel: &Kernel,
    finished: &Queue<Request>,
) {
    let is_data = |it: &Request| it.kind == Kind::Data;
    let written = page
        .transition("page is written")
        .take(finished)
        .take(&kernel.write_back)
        .when(move |(it, _)| is_data(it) && it.left > 0)
        .put(finished)
        .put(&kernel.write_back)
        .put(cache.requests.maybe())
        .urgency(AT_ONCE)
        .fire(|(it, mut write_back): (Request, WriteBack), firing| {
            let (page, now) = (it.page, firing.now());
            write_back.pages.end_page(page);
            let clean = (!write_back.pages.is_dirty(page)).then_some(CacheRequest {
                page,
                deed: Deed::Clean,
                now,
            });
            (it.rest(), write_back, clean)
        });
    page.transition("end of data")
        .take(finished)
        .take(&kernel.write_back)
        .take(&kernel.journal)
        .when(move |(it, _, _)| is_data(it) && it.left == 0)
        .put(&kernel.write_back)
        .put(&kernel.journal)
        .put(&kernel.arrivals)
        .urgency(AT_ONCE)
        .fire(
            |(it, mut write_back, mut journal): (Request, WriteBack, Journaling), firing| {
                write_back.pages.end_transfer();
                journal.written(firing.now(), it.pages());
                (write_back, journal)
            },
        );
    let transitions = vec![written];
    page.monitor("pages", Monitor::Firings { transitions });
}

/// Blocks that the journal has asked for are on the disk, one by one.
fn end_journal(page: &mut Page<'_>, kernel: &Kernel, finished: &Queue<Request>) {
    for (name, counts, kind) in [
        ("journal block is written", "journal blocks", Kind::Log),
        (
            "block is at its own place",
            "blocks at their places",
            Kind::Home,
        ),
    ] {
        let written = page
            .transition(name)
            .take(finished)
            .when(move |it| it.kind == kind && it.left > 0)
            .put(finished)
            .urgency(AT_ONCE)
            .fire(|it: Request, _| it.rest());
        let transitions = vec![written];
        page.monitor(counts, Monitor::Firings { transitions });
    }
    page.transition("end of journal blocks")
        .take(finished)
        .take(&kernel.journal)
        .when(|(it, _)| it.kind != Kind::Data && it.left == 0)
        .put(&kernel.journal)
        .put(&kernel.looks)
        .urgency(AT_ONCE)
        .fire(|(_, mut journal): (Request, Journaling), _| {
            journal.end();
            journal
        });
}

/// One flush is under way at a time, and all that are asked for meanwhile are one (`block/blk-flush.c`).
fn flush(page: &mut Page<'_>, flush_ns: u64, writes: &Writes, kernel: &Kernel) {
    let last = page.fifo("last flush", [(Time::ZERO, Time::ZERO)]);
    let flushed = page.fifo::<Flush>("flushed", []);
    page.transition("flush cache")
        .take(&kernel.flushes)
        .take(&last)
        .put(flushed.timed())
        .put(&last)
        .fire(
            move |(flush, (begins, ends)): (Flush, (Time, Time)), firing| {
                let now = firing.now();
                let (begins, ends) = match now >= begins {
                    true => {
                        let begins = now.max(ends);
                        (begins, begins + Time::from_nanos(flush_ns))
                    }
                    false => (begins, ends),
                };
                ((ends - now, flush), (begins, ends))
            },
        );
    page.transition("journal is flushed")
        .take(&flushed)
        .take(&kernel.journal)
        .when(|(flush, _)| matches!(flush, Flush::Journal))
        .put(&kernel.journal)
        .put(&kernel.looks)
        .urgency(AT_ONCE)
        .fire(|(_, mut journal): (Flush, Journaling), _| {
            journal.end();
            journal
        });
    page.transition("file is flushed")
        .take(&flushed)
        .when(|flush| matches!(flush, Flush::Program(_)))
        .put(writes.closed.maybe())
        .urgency(AT_ONCE)
        .fire(|flush: Flush, _| match flush {
            Flush::Program(fsync) => Some(fsync),
            Flush::Journal => None,
        });
}
