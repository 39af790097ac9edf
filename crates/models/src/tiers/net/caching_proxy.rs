//! A proxy that keeps answers: what it has is sent piece after piece, all else is handed on.

use std::sync::Arc;

use hotset_petri::{Object, Page};

use super::board::{Board, Queue, Watched};
use super::processors::processors;
use super::route::Route;
use crate::tiers::balancer::Balancer;
use crate::tiers::message::{Message, PIECE_BYTES};
use crate::tiers::proxy_cache::{Kept, ProxyCache};
use crate::tiers::stacks::Stacks;
use crate::tiers::system::{Processors, Proxy};
use crate::tiers::traffic::Traffic;

/// Draws it between where messages arrive and where they are to be sent from.
pub(super) fn caching_proxy(
    page: &mut Page<'_>,
    board: &mut Board,
    (at, cpus, proxy, kept): (usize, Processors, &Proxy, Kept),
    stacks: Stacks,
    (arrived, outbox): (&Queue, &Route),
    watched: &mut Watched,
) {
    let (balance, upstream) = (proxy.balance, proxy.upstream.clone());
    let balancer = page.object("balancer", move |_| Balancer::new(at, balance, &upstream));
    let cache = page.object("cache", move |_| ProxyCache::in_time(kept));
    watched.proxy_cache = Some(cache);
    if let Some(events) = &board.events {
        events.of_proxy(page, at, arrived);
    }
    let looked_up: Queue = page.fifo("looked up", []);
    look_up(page, board, arrived, (&cache, &balancer), &looked_up);
    let costs = proxy.clone();
    let work_ns = move |message: &Message| {
        let request_ns = match message.is_kept_by(at) && message.is_first {
            true => stacks.kept_request_ns(message),
            false => 0,
        };
        costs.kept_work_ns(message, at) + stacks.work_ns(message) + request_ns
    };
    let served = processors(page, board, (at, cpus, &looked_up), watched, work_ns);
    send(page, board, at, (&served, outbox), &looked_up);
    if let Some(sockets) = board.sockets[at] {
        go_on(page, board, at, (&sockets, outbox), &looked_up);
    }
}

/// A request is answered from what is kept, or handed on. An answer is kept, and handed on.
fn look_up(
    page: &mut Page<'_>,
    board: &Board,
    arrived: &Queue,
    (cache, balancer): (&Object<ProxyCache>, &Object<Balancer>),
    looked_up: &Queue,
) {
    let traffic = Arc::clone(&board.traffic);
    page.transition("look up")
        .take(arrived)
        .borrow(cache)
        .borrow(balancer)
        .borrow(&board.counts)
        .put(looked_up.maybe())
        .fire_with(move |message: Message, (cache, balancer, counts), firing| {
            cache.look(firing.now());
            if counts.faults.is_stale(&message) {
                return None;
            }
            let bytes = traffic.files[message.file as usize].bytes;
            let is_new = !message.is_answer && message.attempt == 0;
            if is_new && cache.look_up(message.file, bytes) {
                return Some(piece(message, 0, bytes));
            }
            if message.is_answer && message.is_last && !message.is_error {
                cache.keep(message.file, bytes);
            }
            balancer.handed_on(firing.now(), message, &mut counts.faults)
        });
}

/// What was served goes out by the node's routes. The next piece of a kept answer follows, unless the link is full.
fn send(
    page: &mut Page<'_>,
    board: &Board,
    at: usize,
    (served, outbox): (&Queue, &Route),
    looked_up: &Queue,
) {
    let (traffic, route) = (Arc::clone(&board.traffic), outbox.clone());
    page.transition("send")
        .take(served)
        .borrow(&board.counts)
        .put(outbox.arcs().timed())
        .put(looked_up.maybe())
        .fire_with(move |message: Message, counts, firing| {
            let now = firing.now();
            let sent = Message {
                head: now,
                tail: now,
                ..message
            };
            let target = sent.next(at);
            let gone = route.send(now, target, sent, counts);
            let is_more = message.is_kept_by(at) && !message.is_last;
            let waits = !is_more || route.is_at_link(target, &gone);
            let goes_on = !waits && route.goes_on(target, &sent, counts);
            (gone, goes_on.then(|| behind(sent, &traffic)))
        });
}

/// The link has room again: the next piece of a kept answer follows.
fn go_on(
    page: &mut Page<'_>,
    board: &Board,
    at: usize,
    (sockets, outbox): (&Queue, &Route),
    looked_up: &Queue,
) {
    let (traffic, route) = (Arc::clone(&board.traffic), outbox.clone());
    page.transition("go on")
        .take(sockets)
        .borrow(&board.counts)
        .put(looked_up.maybe())
        .fire_with(move |sent: Message, counts, firing| {
            let now = firing.now();
            let goes_on = route.goes_on(sent.next(at), &sent, counts);
            goes_on.then(|| Message {
                head: now,
                tail: now,
                ..behind(sent, &traffic)
            })
        });
}

/// The piece of a kept answer behind one.
fn behind(sent: Message, traffic: &Traffic) -> Message {
    let bytes = traffic.files[sent.file as usize].bytes;
    piece(sent, sent.open + 1, bytes)
}

/// Piece `number` of a kept answer of so many bytes for whom `message` is for.
fn piece(message: Message, number: u32, bytes: u64) -> Message {
    let start = u64::from(number) * PIECE_BYTES;
    let left = bytes - start;
    Message {
        bytes: left.min(PIECE_BYTES) as u32,
        web: message.entry,
        open: number,
        is_answer: true,
        is_first: number == 0,
        is_last: left <= PIECE_BYTES,
        ..message
    }
}

impl Proxy {
    /// Processor time that a message takes in the node `at`, nanoseconds. The first piece of a kept answer has the request's.
    fn kept_work_ns(&self, message: &Message, at: usize) -> u64 {
        match message.is_kept_by(at) {
            true if message.is_first => self.request_ns + self.bytes_ns(message),
            true => self.bytes_ns(message),
            false => self.work_ns(message),
        }
    }
}
