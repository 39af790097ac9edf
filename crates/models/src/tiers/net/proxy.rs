//! A proxy: requests are handed on to one of the nodes behind it, answers back to the client.

use hotset_petri::{Page, Time};

use super::board::{Board, Queue, Watched};
use super::processors::{idle, shared};
use super::route::Route;
use crate::tiers::balancer::Balancer;
use crate::tiers::message::Message;
use crate::tiers::system::{Processors, Proxy};

/// Draws it between where messages arrive and where they are to be sent from.
pub(super) fn proxy(
    page: &mut Page<'_>,
    board: &mut Board,
    (at, processors, proxy): (usize, Processors, &Proxy),
    (arrived, outbox): (&Queue, &Route),
    watched: &mut Watched,
) {
    let (balance, upstream) = (proxy.balance, proxy.upstream.clone());
    let balancer = page.object("balancer", move |_| Balancer::new(at, balance, &upstream));
    let (costs, route) = (proxy.clone(), outbox.clone());
    if let Some(events) = &board.events {
        events.of_proxy(page, at, arrived);
    }
    if processors.are_shared() {
        let chosen: Queue = page.fifo("chosen", []);
        page.transition("choose")
            .take(arrived)
            .borrow(&balancer)
            .borrow(&board.counts)
            .put(chosen.maybe())
            .fire_with(|message: Message, (balancer, counts), firing| {
                balancer.handed_on(firing.now(), message, &mut counts.faults)
            });
        let served: Queue = page.fifo("served", []);
        let work_ns = move |message: &Message| costs.work_ns(message);
        shared(
            page,
            board,
            processors,
            (&chosen, &served),
            watched,
            work_ns,
        );
        page.transition("send")
            .take(&served)
            .put(outbox.arcs())
            .fire(move |message: Message, _| (route.number(message.next(at)), message));
        return;
    }
    let idle = idle(page, board, processors, watched);
    page.transition("serve")
        .take(arrived)
        .take(&idle)
        .borrow(&balancer)
        .borrow(&board.counts)
        .put(outbox.arcs().maybe())
        .put(&idle)
        .fire_with(move |message: Message, (balancer, counts), firing| {
            counts.wait(at, firing.now(), message.tail);
            let handed_on = balancer.handed_on(firing.now(), message, &mut counts.faults)?;
            let seconds = processors.seconds(costs.work_ns(&message));
            firing.delay_by(seconds);
            let done = firing.now() + Time::from_secs(seconds).unwrap_or_default();
            let sent = Message {
                head: done,
                tail: done,
                ..handed_on
            };
            Some((route.number(sent.next(at)), sent))
        });
}

impl Proxy {
    /// Processor time of a message's bytes, nanoseconds.
    pub(super) fn bytes_ns(&self, message: &Message) -> u64 {
        (f64::from(message.bytes) * self.ns_per_byte) as u64
    }

    /// Processor time that a message takes, nanoseconds.
    pub(super) fn work_ns(&self, message: &Message) -> u64 {
        match message.is_answer {
            false => self.request_ns,
            true => self.piece_ns(u64::from(message.bytes), message.is_first),
        }
    }

    /// Processor time of a piece of an answer, nanoseconds.
    pub(crate) fn piece_ns(&self, bytes: u64, is_first: bool) -> u64 {
        let bytes_ns = (bytes as f64 * self.ns_per_byte) as u64;
        bytes_ns + if is_first { self.answer_ns } else { 0 }
    }
}
