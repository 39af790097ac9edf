//! A file server: calls arrive, threads work for them, and answers leave.

use std::sync::Arc;

use hotset_petri::{Fifo, Object, Page, Place};

use super::board::{Board, Queue, Watched};
use super::route::Route;
use crate::remote::RemoteEvent;
use crate::tiers::calls::Calls;
use crate::tiers::message::Message;
use crate::tiers::served_files::{Placing, ServedFiles, ServerDelays};
use crate::tiers::system::Files;

/// Draws it between where calls arrive and where answers are to be sent from. Files are where `placing` says.
pub(super) fn files(
    page: &mut Page<'_>,
    board: &Board,
    (at, files): (usize, &Files),
    (placing, calls): (&Placing, Object<Calls>),
    (arrived, outbox): (&Queue, &Route),
    watched: &mut Watched,
) {
    let (spec, traffic) = (files.clone(), Arc::clone(&board.traffic));
    let placing = placing.clone();
    let served = page.object("files", move |stream| {
        let made = ServedFiles::new(&spec, &placing, &traffic, stream.below(u64::MAX));
        // It was made once before the net was drawn, or the net would not have been drawn.
        made.unwrap_or_else(|error| unreachable!("{error}"))
    });
    watched.files = Some(served);
    if let Some(events) = &board.events {
        // It has one store.
        events.of_disks(page, at, &served, |served, now, _, speed| {
            served.set_speed(now, speed);
        });
    }
    let events: Place<Fifo<RemoteEvent>> = page.fifo("threads and disks", []);
    page.transition("arrive")
        .take(arrived)
        .borrow(&served)
        .borrow(&calls)
        .put(events.many().timed())
        .fire_with(|message: Message, (served, calls), firing| {
            let now = firing.now();
            let mut delays = ServerDelays::since(now);
            if let Some(call) = message.of_call()
                && let Some((work, own_ns)) = calls.arrive((call, message.row))
            {
                served.arrive(now, (call, work, own_ns), &mut delays);
            }
            delays.events
        });
    let route = outbox.clone();
    page.transition("serve")
        .take(&events)
        .borrow(&served)
        .borrow(&calls)
        .borrow(&board.counts)
        .put(events.many().timed())
        .put(outbox.arcs().maybe().timed())
        .fire_with(move |event, (served, calls, counts), firing| {
            let now = firing.now();
            let mut delays = ServerDelays::since(now);
            let answered = served.handle(now, event, &mut delays);
            let answer = answered.and_then(|call| calls.answer(now, call));
            let sent = answer.map(|(answer, web)| route.send(now, Some(web), answer, counts));
            (delays.events, sent)
        });
}
