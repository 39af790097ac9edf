//! One way of a link, drawn: of a node's to the switch, or of one between two nodes.

use std::sync::Arc;

use hotset_petri::{Colour, Page, Time};

use super::board::{Board, Queue};
use super::cable::Cable;
use super::route::Route;
use crate::tiers::message::{Message, Wire};

/// Nothing passes.
#[derive(Clone, Copy, Debug)]
struct Idle;

impl Colour for Idle {}

/// One message passes after the other. It is looked after at each message's turn where the link may change meanwhile, and as soon as the message comes where
/// it never does.
pub(super) fn direction(
    page: &mut Page<'_>,
    board: &Board,
    (cable, name): (Cable, &str),
    (from, to): (&Queue, &Route),
) {
    page.page(name, |page| match &board.events {
        None => pass(page, board, cable, (from, to)),
        Some(_) => serve(page, board, cable, (from, to)),
    });
}

fn pass(page: &mut Page<'_>, board: &Board, cable: Cable, (from, to): (&Queue, &Route)) {
    let route = to.through(cable);
    page.transition("pass")
        .take(from)
        .borrow(&board.counts)
        .put(to.arcs().timed())
        .fire_with(move |message: Message, counts, firing| {
            route.send(firing.now(), message.next(cable.at), message, counts)
        });
}

fn serve(page: &mut Page<'_>, board: &Board, cable: Cable, (from, to): (&Queue, &Route)) {
    let (has_link, route) = (Arc::clone(&board.has_link), to.clone());
    let idle = page.fifo("idle", [Idle]);
    page.transition("serve")
        .take(from)
        .take(&idle)
        .borrow(&board.counts)
        .put(to.arcs().timed())
        .put(idle.timed())
        .fire_with(move |(message, idle), counts, firing| {
            let now = firing.now();
            let cable = cable.since_events(counts.faults.rate(cable.number));
            let wire = match counts.faults.is_stale(&message) {
                true => Wire::default(),
                false => message.wire(cable.link.mtu_bytes),
            };
            let passing_ns = cable.link.passing_ns(wire.bytes);
            counts
                .flow(cable.number, cable.way)
                .pass(now, message.head, wire, passing_ns);
            let (ready, message) = cable.passed(now, passing_ns, message, &has_link);
            let to = route.number(message.next(cable.at));
            (
                (ready - now, (to, message)),
                (Time::from_nanos(passing_ns), idle),
            )
        });
}
