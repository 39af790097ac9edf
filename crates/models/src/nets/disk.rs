//! "Disk" (figure 23): one request at a time, and the pages that it brings.

use hotset_petri::{Colour, Monitor, Page, Time, Urgent};

use super::places::Requests;
use super::tokens::{PendingPages, Queue, Request};
use crate::disk::Drive;

/// What a request takes.
#[derive(Clone, Debug)]
pub enum NetDisk {
    /// A delay where it does not go on where the last one ended, and its bytes at a rate. They pass while the next request has
    /// its delay.
    Constant {
        /// The delay, nanoseconds.
        delay_ns: u64,
        /// What a byte takes.
        ns_per_byte: f64,
        /// Where the last request ended, and when its bytes have passed.
        last: Option<(u64, u64)>,
    },
    /// A drive with a head, the one that the lab plays.
    Drive(Drive),
}

impl Colour for NetDisk {}

impl NetDisk {
    /// A disk of constant cost.
    #[must_use]
    pub fn constant(delay_ns: u64, ns_per_byte: f64) -> Self {
        Self::Constant {
            delay_ns,
            ns_per_byte,
            last: None,
        }
    }

    /// Serves a request from `now_ns` on; when it can begin another, and when the request is done.
    fn serve(&mut self, now_ns: u64, request: &Request) -> (u64, u64) {
        match self {
            Self::Drive(drive) => {
                let done_ns = drive.read(now_ns, request.offset, request.bytes).done_ns;
                (done_ns, done_ns)
            }
            Self::Constant {
                delay_ns,
                ns_per_byte,
                last,
            } => {
                let (end, passed_ns) = last.unwrap_or((u64::MAX, 0));
                let delay_ns = if end == request.offset { 0 } else { *delay_ns };
                let found_ns = now_ns + delay_ns;
                let transfer_ns = (request.bytes as f64 * *ns_per_byte) as u64;
                let done_ns = found_ns.max(passed_ns) + transfer_ns;
                *last = Some((request.offset + request.bytes, done_ns));
                (found_ns, done_ns)
            }
        }
    }
}

/// Adds a disk.
pub(super) fn disk(
    page: &mut Page<'_>,
    kind: &NetDisk,
    requests: &Requests,
    under_way: &Queue<PendingPages>,
) {
    page.page("disk", |page| {
        let mechanics = page.fifo("mechanics", [kind.clone()]);
        let found = page.fifo::<(Request, Time)>("found", []);
        let finished = page.fifo::<Request>("finished requests", []);
        let serve = page
            .transition("serve request")
            .take(&requests.to_disk.dispatched)
            .take(&mechanics)
            .put(&found)
            .put(&mechanics)
            .put(&requests.to_disk.idle)
            .fire(|(request, mut mechanics): (Request, NetDisk), firing| {
                let now_ns = firing.now().nanos();
                let (idle_ns, done_ns) = mechanics.serve(now_ns, &request);
                firing.delay_by(idle_ns.saturating_sub(now_ns) as f64 / 1e9);
                ((request, Time::from_nanos(done_ns)), mechanics)
            });
        page.transition("pass bytes")
            .take(&found)
            .put(&finished)
            .fire(|(request, done): (Request, Time), firing| {
                firing.delay_by((done - firing.now()).secs());
                request
            });
        page.watch_rate("requests", serve);
        page.watch_busy("utilisation", &requests.to_disk.idle, 1);
        end_of_requests(page, &finished, under_way, &requests.map_read);
    });
}

/// Pages come into memory one by one, before anybody looks for them.
fn end_of_requests(
    page: &mut Page<'_>,
    finished: &Queue<Request>,
    under_way: &Queue<PendingPages>,
    map_read: &Queue<Request>,
) {
    let is_map = |it: &Request| it.pages == 0 && it.bytes > 0;
    let unlock = page
        .transition("page is read")
        .take(finished)
        .take(under_way)
        .when(|(it, _)| it.pages > 0)
        .put(finished)
        .put(under_way)
        .urgency(Urgent::HIGH)
        .fire(|(request, under_way): (Request, PendingPages), _| {
            let rest = Request {
                // What is left of a request has no bytes of its own.
                bytes: 0,
                page: request.page + 1,
                pages: request.pages - 1,
                ..request
            };
            (rest, under_way.without(request.page, request.asked))
        });
    let map = page
        .transition("map block is read")
        .take(finished)
        .when(is_map)
        .put(map_read)
        .urgency(Urgent::HIGH)
        .fire(|request, _| request);
    page.transition("end of request")
        .take(finished)
        .when(|it| it.pages == 0 && it.bytes == 0)
        .urgency(Urgent::HIGH)
        .done();
    for (name, transition) in [("pages", unlock), ("map blocks", map)] {
        let transitions = vec![transition];
        page.monitor(name, Monitor::Firings { transitions });
    }
}
