//! Workers of a server that each have one request until its answer is sent, as processes and threads of Apache do.

use hotset_petri::{Colour, Page, Place};

use super::board::{Board, Queue, Watched};
use super::route::Route;
use crate::tiers::message::Message;

/// A worker whose answer is on its way out.
#[derive(Clone, Copy, Debug)]
struct Worker;

impl Colour for Worker {}

/// What is around a server whose workers are limited.
pub(super) struct Around<'q> {
    /// Where requests arrive at the node.
    pub arrived: Queue,
    /// Where pieces of answers are that leave the node, past its link where it has one.
    pub passed: Queue,
    /// Where they go on to.
    pub sent: &'q Route,
}

/// Draws so many workers of the node `at`; where requests are that have one.
pub(super) fn workers(
    page: &mut Page<'_>,
    board: &mut Board,
    (at, count): (usize, u32),
    around: &Around<'_>,
    watched: &mut Watched,
) -> Queue {
    let free = page.unit("free workers", count);
    page.watch_tokens("free workers", [free.id()]);
    watched.free_workers = Some(board.monitor());
    let ready: Queue = page.fifo("with a worker", []);
    let requests = match board.calls {
        None => around.arrived,
        Some(_) => sorted(page, &around.arrived, &ready),
    };
    page.transition("begin")
        .take(&requests)
        .take(&free)
        .borrow(&board.counts)
        .put(&ready)
        .fire_with(move |request: Message, counts, firing| {
            let now = firing.now();
            counts.begin_worker(at, now, request.tail);
            Message {
                tail: now,
                ..request
            }
        });
    let leaving = page.fifo("leaving", []);
    let route = around.sent.clone();
    page.transition("pass on")
        .take(&around.passed)
        .borrow(&board.counts)
        .put(around.sent.arcs().timed())
        .put(leaving.maybe().timed())
        .fire_with(move |piece: Message, counts, firing| {
            // Its first packet may have left, and its last byte not yet.
            let now = firing.now();
            let worker = (piece.tail.max(now) - now, Worker);
            let sent = route.send(now, piece.next(at), piece, counts);
            let is_end = piece.is_last && piece.of_call().is_none();
            if is_end {
                counts.end_worker(at);
            }
            (sent, is_end.then_some(worker))
        });
    page.transition("release").take(&leaving).put(&free).done();
    ready
}

/// Draws how answers to calls go past the workers, as these wait for them; where requests are.
fn sorted(page: &mut Page<'_>, arrived: &Queue, ready: &Queue) -> Queue {
    let requests: Queue = page.fifo("requests", []);
    page.transition("sort")
        .take(arrived)
        .put(Place::one_of(&[requests, *ready]))
        .fire(|message: Message, _| (usize::from(message.of_call().is_some()), message));
    requests
}
