//! A web server: a request costs its processors time, then piece after piece of its file is read and sent.

use std::sync::Arc;

use hotset_petri::{Fifo, Object, Page, Place};

use super::board::{Board, Queue, Watched};
use super::processors::processors;
use super::route::Route;
use crate::block::DeviceEvent;
use crate::tiers::file_reader::{Delays, FileReader};
use crate::tiers::message::Message;
use crate::tiers::system::{Processors, Web};

/// Draws it between where messages arrive and where they are to be sent from; its storage.
pub(super) fn web(
    page: &mut Page<'_>,
    board: &mut Board,
    (at, cpus, web, own): (usize, Processors, &Web, Option<Arc<[u32]>>),
    (arrived, outbox): (&Queue, &Route),
    watched: &mut Watched,
) -> Object<FileReader> {
    let (asked, files) = (web.clone(), Arc::clone(&board.traffic));
    let request_ns = move |message: &Message| {
        let store = asked.store_of(files.files[message.file as usize].site);
        asked.stores[store].request_ns
    };
    let served = processors(
        page,
        board,
        (at, cpus, arrived),
        watched,
        move |message| match message.is_answer {
            true => message.work_ns,
            false => request_ns(message),
        },
    );
    let (spec, traffic) = (web.clone(), Arc::clone(&board.traffic));
    let reader = page.object("storage", move |stream| {
        let made = FileReader::new(&spec, &traffic, own.as_ref(), stream.below(u64::MAX));
        // It was made once before the net was drawn, or the net would not have been drawn.
        made.unwrap_or_else(|error| unreachable!("{error}"))
    });
    let reading: Queue = page.fifo("reading", []);
    let events: Place<Fifo<DeviceEvent>> = page.fifo("device events", []);
    // What is read goes to the processors to be handed to the socket.
    page.transition("open")
        .take(&served)
        .when(|message| !message.is_answer)
        .borrow(&reader)
        .borrow(&board.counts)
        .put(arrived.maybe())
        .put(events.many().timed())
        .fire_with(|request, (reader, counts), firing| {
            if counts.faults.is_stale(&request) {
                return (Some(request.spent()), Vec::new());
            }
            let mut delays = Delays::since(firing.now());
            let piece = reader.open(request);
            let read = reader.go_on(firing.now(), piece, &mut delays);
            (read, delays.events)
        });
    page.transition("read")
        .take(&reading)
        .borrow(&reader)
        .put(arrived.maybe())
        .put(events.many().timed())
        .fire_with(|piece, reader, firing| {
            let mut delays = Delays::since(firing.now());
            let read = reader.go_on(firing.now(), piece, &mut delays);
            (read, delays.events)
        });
    page.transition("disk")
        .take(&events)
        .borrow(&reader)
        .put(events.many().timed())
        .put(reading.many())
        .fire_with(|event, reader, firing| {
            let mut delays = Delays::since(firing.now());
            let woken = reader.handle(firing.now(), event, &mut delays);
            (delays.events, woken)
        });
    let route = outbox.clone();
    page.transition("send")
        .take(&served)
        .when(|message| message.is_answer)
        .borrow(&reader)
        .borrow(&board.counts)
        .put(outbox.arcs())
        .put(reading.maybe())
        .fire_with(move |mut piece: Message, (reader, counts), firing| {
            if counts.faults.is_stale(&piece) {
                reader.abandon(&piece);
                piece = piece.spent();
            }
            let now = firing.now();
            let sent = Message {
                head: now,
                tail: now,
                ..piece
            };
            let to = route.number(sent.next(at));
            ((to, sent), (!piece.is_last).then_some(piece))
        });
    if let Some(events) = &board.events {
        events.of_disks(page, at, &reader);
    }
    reader
}
