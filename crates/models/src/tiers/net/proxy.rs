//! A proxy: requests are handed on to one of the nodes behind it, answers back to the client.

use std::sync::Arc;

use hotset_petri::{Firing, Object, Page, Time};

use super::board::{Board, Queue, Watched};
use super::processors::{servers, service, shared};
use super::route::Route;
use crate::tiers::balancer::Balancer;
use crate::tiers::counts::Counts;
use crate::tiers::message::Message;
use crate::tiers::servers::Servers;
use crate::tiers::stacks::Stacks;
use crate::tiers::system::{Processors, Proxy};

/// Draws it between where messages arrive and where they are to be sent from.
pub(super) fn proxy(
    page: &mut Page<'_>,
    board: &mut Board,
    (at, processors, proxy): (usize, Processors, &Proxy),
    stacks: Stacks,
    (arrived, outbox): (&Queue, &Route),
    watched: &mut Watched,
) {
    let (balance, upstream) = (proxy.balance, proxy.upstream.clone());
    let balancer = page.object("balancer", move |_| Balancer::new(at, balance, &upstream));
    if let Some(events) = &board.events {
        events.of_proxy(page, at, arrived);
    }
    let front = Front {
        at,
        processors,
        costs: proxy.clone(),
        outbox: outbox.clone(),
        stacks,
    };
    match processors.are_limited() {
        true => sharing(page, board, front, (arrived, balancer), watched),
        false => serving(page, board, front, (arrived, balancer), watched),
    }
}

/// What a proxy does with messages.
struct Front {
    at: usize,
    processors: Processors,
    costs: Proxy,
    outbox: Route,
    stacks: Stacks,
}

/// Processes share processors, or have a quota of them.
fn sharing(
    page: &mut Page<'_>,
    board: &Board,
    front: Front,
    (arrived, balancer): (&Queue, Object<Balancer>),
    watched: &mut Watched,
) {
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
    let (costs, stacks) = (front.costs, front.stacks);
    let work_ns = move |message: &Message| costs.work_ns(message) + stacks.work_ns(message);
    let way = (&chosen, &served);
    shared(page, board, front.processors, way, watched, work_ns);
    let (at, route) = (front.at, front.outbox);
    page.transition("send")
        .take(&served)
        .borrow(&board.counts)
        .put(route.arcs().timed())
        .fire_with(move |message: Message, counts, firing| {
            route.send(firing.now(), message.next(at), message, counts)
        });
}

/// Each process has a processor.
fn serving(
    page: &mut Page<'_>,
    board: &Board,
    front: Front,
    (arrived, balancer): (&Queue, Object<Balancer>),
    watched: &mut Watched,
) {
    let (servers, in_service) = servers(page, front.processors, watched);
    let front = Arc::new(front);
    let arriving = Arc::clone(&front);
    page.transition("arrive")
        .take(arrived)
        .borrow(&servers)
        .borrow(&balancer)
        .borrow(&board.counts)
        .put(in_service.maybe().timed())
        .fire_with(
            move |message: Message, (servers, balancer, counts), firing| {
                let begun = servers.come(firing.now(), message);
                arriving.begin(begun, (servers, balancer, counts), firing)
            },
        );
    page.transition("send")
        .take(&in_service)
        .borrow(&servers)
        .borrow(&balancer)
        .borrow(&board.counts)
        .put(front.outbox.arcs().timed())
        .put(in_service.maybe().timed())
        .fire_with(
            move |message: Message, (servers, balancer, counts), firing| {
                let now = firing.now();
                let sent = Message {
                    head: now,
                    tail: now,
                    ..message
                };
                let sent = front.outbox.send(now, sent.next(front.at), sent, counts);
                let next = servers.done(now, None);
                (sent, front.begin(next, (servers, balancer, counts), firing))
            },
        );
}

impl Front {
    /// A processor begins with a message, or with the one behind it where nobody waits for it. Returns how long it takes, and how the
    /// message is handed on then.
    fn begin(
        &self,
        mut next: Option<Message>,
        (servers, balancer, counts): (&mut Servers<Message>, &mut Balancer, &mut Counts),
        firing: &mut Firing<'_>,
    ) -> Option<(Time, Message)> {
        let now = firing.now();
        while let Some(message) = next {
            counts.wait(self.at, now, message.tail);
            if let Some(handed_on) = balancer.handed_on(now, message, &mut counts.faults) {
                let work_ns = self.costs.work_ns(&message) + self.stacks.work_ns(&handed_on);
                return Some((service(self.processors, work_ns, firing), handed_on));
            }
            next = servers.done(now, None);
        }
        None
    }
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
