//! The processors of a server: as many servers of one queue.

use hotset_petri::{Page, Unit};

use super::board::{Board, Queue, Watched};
use crate::tiers::message::Message;
use crate::tiers::system::Processors;

/// Processors that have nothing to do. It is watched how many are busy.
pub(super) fn idle(
    page: &mut Page<'_>,
    board: &mut Board,
    processors: Processors,
    watched: &mut Watched,
) -> Unit {
    let idle = page.unit("idle processors", processors.servers);
    page.watch_busy("processors", &idle, processors.servers);
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
    let idle = idle(page, board, processors, watched);
    let served = page.fifo("served", []);
    page.transition("serve")
        .take(queue)
        .take(&idle)
        .borrow(&board.counts)
        .put(&served)
        .put(&idle)
        .fire_with(move |message, counts, firing| {
            counts.wait(at, firing.now(), message.tail);
            firing.delay_by(processors.seconds(work_ns(&message)));
            message
        });
    served
}
