//! Workers of a server that each have one request until its answer is sent, as threads of Apache's module `event` do; or one connection until that is
//! closed, as processes of its module `prefork` do.

use std::sync::Arc;

use hotset_petri::{Colour, Fifo, Object, Page, Place};
use hotset_scenario::KeepAlive;

use super::board::{Board, Queue, Watched};
use super::route::Route;
use crate::tiers::connections::Connections;
use crate::tiers::message::Message;

/// A worker whose answer is on its way out.
#[derive(Clone, Copy, Debug)]
struct Worker;

impl Colour for Worker {}

/// A worker whose answer on this connection is on its way out.
#[derive(Clone, Copy, Debug)]
struct Answering {
    connection: u32,
    /// Whether the client closes the connection when it has the answer.
    is_closed: bool,
}

impl Colour for Answering {}

/// A look at connections without a request.
#[derive(Clone, Copy, Debug)]
struct Look;

impl Colour for Look {}

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

/// Draws the same of workers that stay with connections. `ends` are requests, by their places in the traffic, after which clients close theirs.
pub(super) fn staying_workers(
    page: &mut Page<'_>,
    board: &Board,
    (at, count, keep_alive): (usize, u32, KeepAlive),
    (around, ends): (&Around<'_>, Arc<[bool]>),
    watched: &mut Watched,
) -> Queue {
    let connections = page.object("connections", move |_| Connections::new(count, keep_alive));
    watched.connections = Some(connections);
    let ready: Queue = page.fifo("with a worker", []);
    let requests = match board.calls {
        None => around.arrived,
        Some(_) => sorted(page, &around.arrived, &ready),
    };
    page.transition("begin")
        .take(&requests)
        .borrow(&connections)
        .borrow(&board.counts)
        .put(ready.many())
        .fire_with(move |request: Message, (connections, counts), firing| {
            let now = firing.now();
            let mut begun = connections.lose(now, counts.faults.downs(at));
            begun.extend(connections.come(now, request));
            counts.set_workers(at, connections.busy());
            begun
        });
    let leaving: Place<Fifo<Answering>> = page.fifo("leaving", []);
    let route = around.sent.clone();
    page.transition("pass on")
        .take(&around.passed)
        .borrow(&board.counts)
        .put(around.sent.arcs().timed())
        .put(leaving.maybe().timed())
        .fire_with(move |piece: Message, counts, firing| {
            // Its first packet may have left, and its last byte not yet.
            let now = firing.now();
            let is_end = piece.is_last && piece.of_call().is_none();
            let is_last = ends.get(piece.row as usize).copied().unwrap_or(false);
            let answering = Answering {
                connection: piece.connection,
                is_closed: is_last || piece.is_error || counts.faults.is_stale(&piece),
            };
            let sent = route.send(now, piece.next(at), piece, counts);
            let left = (piece.tail.max(now) - now, answering);
            (sent, is_end.then_some(left))
        });
    releasing(page, board, (at, connections), (&leaving, &ready));
    ready
}

/// Draws what workers do that have answered: they go on with their connection, or with another one.
fn releasing(
    page: &mut Page<'_>,
    board: &Board,
    (at, connections): (usize, Object<Connections>),
    (leaving, ready): (&Place<Fifo<Answering>>, &Queue),
) {
    let looks: Place<Fifo<Look>> = page.fifo("idle connections", []);
    page.transition("release")
        .take(leaving)
        .borrow(&connections)
        .borrow(&board.counts)
        .put(ready.maybe())
        .put(looks.maybe().timed())
        .fire_with(move |answering: Answering, (connections, counts), firing| {
            let (now, number) = (firing.now(), answering.connection);
            let next = connections.done(now, number, answering.is_closed);
            counts.set_workers(at, connections.busy());
            let look = connections.next_look(now).map(|after| (after, Look));
            (next, look)
        });
    page.transition("close idle")
        .take(&looks)
        .borrow(&connections)
        .borrow(&board.counts)
        .put(ready.many())
        .put(looks.maybe().timed())
        .fire_with(move |Look, (connections, counts), firing| {
            let now = firing.now();
            let begun = connections.close_idle(now);
            counts.set_workers(at, connections.busy());
            let look = connections.next_look(now).map(|after| (after, Look));
            (begun, look)
        });
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
