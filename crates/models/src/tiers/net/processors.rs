//! The processors of a server: one for each process, as many servers of one queue; or fewer, which processes share, or a quota of them.

use hotset_petri::{Colour, Fifo, Firing, Object, Page, Place, Time, Unit};

use super::board::{Board, Queue, Watched};
use crate::tiers::message::Message;
use crate::tiers::servers::Servers;
use crate::tiers::sharing::Sharing;
use crate::tiers::system::Processors;

/// The first of the messages that are worked on is done, unless others have come meanwhile.
#[derive(Clone, Copy, Debug)]
struct End;

impl Colour for End {}

/// Processors of a process each, and where messages are while they are served. Pages have them begin with messages, and go on when these
/// are done.
pub(super) fn servers(
    page: &mut Page<'_>,
    processors: Processors,
    watched: &mut Watched,
) -> (Object<Servers<Message>>, Queue) {
    let servers = page.object("processors", move |_| Servers::new(processors.processes));
    watched.servers = Some(servers);
    (servers, page.fifo("in service", []))
}

/// How long one of them takes for what takes a measured processor so long.
pub(super) fn service(processors: Processors, work_ns: u64, firing: &mut Firing<'_>) -> Time {
    let seconds = processors.seconds(work_ns);
    Time::from_secs(seconds).unwrap_or_else(|| {
        // What is beyond the clock ends the run.
        firing.delay_by(seconds);
        Time::ZERO
    })
}

/// Processes that have nothing to do, each with a processor of its own. It is watched how many are busy.
fn idle(
    page: &mut Page<'_>,
    board: &mut Board,
    processors: Processors,
    watched: &mut Watched,
) -> Unit {
    let idle = page.unit("idle processors", processors.processes);
    page.watch_busy("processors", &idle, processors.processes);
    watched.busy = board.monitor();
    idle
}

/// Has the processors of the node `at` work for each message of `queue`, nanoseconds of a measured processor; where messages are afterwards.
pub(super) fn processors(
    page: &mut Page<'_>,
    board: &mut Board,
    (at, processors, queue): (usize, Processors, &Queue),
    watched: &mut Watched,
    work_ns: impl Fn(&Message) -> u64 + Send + Sync + 'static,
) -> Queue {
    let served = page.fifo("served", []);
    if processors.are_limited() {
        shared(page, board, processors, (queue, &served), watched, work_ns);
        return served;
    }
    let idle = idle(page, board, processors, watched);
    page.transition("serve")
        .take(queue)
        .take(&idle)
        .borrow(&board.counts)
        .put(&served)
        .put(&idle)
        .fire_with(move |message, counts, firing| {
            counts.wait(at, firing.now(), message.tail);
            if !counts.faults.is_stale(&message) {
                firing.delay_by(processors.seconds(work_ns(&message)));
            }
            message
        });
    served
}

/// The same where processes share processors or have a quota of them: messages go from one place to another, and are whole where they come to.
pub(super) fn shared(
    page: &mut Page<'_>,
    board: &Board,
    processors: Processors,
    (from, to): (&Queue, &Queue),
    watched: &mut Watched,
    work_ns: impl Fn(&Message) -> u64 + Send + Sync + 'static,
) {
    let sharing = page.object("processors", move |_| Sharing::new(processors));
    watched.sharing = Some(sharing);
    let ends: Place<Fifo<End>> = page.fifo("ends", []);
    let after = |next_ns: Option<u64>| next_ns.map(|ns| (Time::from_nanos(ns), End));
    page.transition("share")
        .take(from)
        .borrow(&sharing)
        .borrow(&board.counts)
        .put(ends.maybe().timed())
        .fire_with(move |message: Message, (sharing, counts), firing| {
            let work_ns = match counts.faults.is_stale(&message) {
                true => 0,
                false => work_ns(&message),
            };
            after(sharing.add(firing.now().nanos(), work_ns, message))
        });
    page.transition("end")
        .take(&ends)
        .borrow(&sharing)
        .put(to.many())
        .put(ends.maybe().timed())
        .fire_with(move |End, sharing, firing| {
            let now = firing.now();
            let (mut ended, next_ns) = sharing.end(now.nanos());
            for message in &mut ended {
                (message.head, message.tail) = (now, now);
            }
            (ended, after(next_ns))
        });
}
