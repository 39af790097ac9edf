//! A web server: a request costs its processors time, then piece after piece of its file is read and sent.

use std::sync::Arc;

use hotset_petri::{Fifo, Firing, Object, Page, Place, Time};

use super::board::{Board, Queue, Watched};
use super::processors::{servers, service, shared};
use super::route::{Route, Sent};
use crate::block::DeviceEvent;
use crate::tiers::counts::Counts;
use crate::tiers::file_reader::{Delays, FileReader};
use crate::tiers::message::Message;
use crate::tiers::system::{Processors, Web};
use crate::tiers::traffic::Traffic;

/// What happens to a node's disks, and when.
type DiskEvents = Vec<(Time, DeviceEvent)>;

/// Draws it between where messages arrive and where they are to be sent from; its storage.
pub(super) fn web(
    page: &mut Page<'_>,
    board: &mut Board,
    (at, processors, web, own): (usize, Processors, &Web, Option<Arc<[u32]>>),
    (arrived, outbox): (&Queue, &Route),
    watched: &mut Watched,
) -> Object<FileReader> {
    let (spec, traffic) = (web.clone(), Arc::clone(&board.traffic));
    let reader = page.object("storage", move |stream| {
        let made = FileReader::new(&spec, &traffic, own.as_ref(), stream.below(u64::MAX));
        // It was made once before the net was drawn, or the net would not have been drawn.
        made.unwrap_or_else(|error| unreachable!("{error}"))
    });
    let disk = Disk {
        reader,
        events: page.fifo("device events", []),
    };
    let server = Server {
        at,
        processors,
        web: web.clone(),
        traffic: Arc::clone(&board.traffic),
        outbox: outbox.clone(),
    };
    match processors.are_limited() {
        true => sharing(page, board, server, (arrived, disk), watched),
        false => serving(page, board, server, (arrived, disk), watched),
    }
    page.transition("disk")
        .take(&disk.events)
        .borrow(&reader)
        .put(disk.events.many().timed())
        .put(arrived.many())
        .fire_with(|event, reader, firing| {
            let now = firing.now();
            let mut delays = Delays::since(now);
            let woken = reader.handle(now, event, &mut delays).into_iter();
            let read = woken.filter_map(|piece| reader.go_on(now, piece, &mut delays));
            let read: Vec<Message> = read.collect();
            (delays.events, read)
        });
    if let Some(sockets) = board.sockets[at] {
        let route = outbox.clone();
        page.transition("go on")
            .take(&sockets)
            .borrow(&reader)
            .borrow(&board.counts)
            .put(arrived.maybe())
            .put(disk.events.many().timed())
            .fire_with(move |piece: Message, (reader, counts), firing| {
                let mut delays = Delays::since(firing.now());
                let read = match route.goes_on(piece.next(at), &piece, counts) {
                    true => reader.go_on(firing.now(), piece, &mut delays),
                    false => None,
                };
                (read, delays.events)
            });
    }
    if let Some(events) = &board.events {
        events.of_disks(page, at, &reader);
    }
    reader
}

/// Its storage, and where events of its disks are until their time.
#[derive(Clone, Copy)]
struct Disk {
    reader: Object<FileReader>,
    events: Place<Fifo<DeviceEvent>>,
}

/// What a web server does with messages.
struct Server {
    at: usize,
    processors: Processors,
    web: Web,
    traffic: Arc<Traffic>,
    outbox: Route,
}

/// Processes share processors, or have a quota of them.
fn sharing(
    page: &mut Page<'_>,
    board: &Board,
    server: Server,
    (arrived, disk): (&Queue, Disk),
    watched: &mut Watched,
) {
    let served: Queue = page.fifo("served", []);
    let server = Arc::new(server);
    let costs = Arc::clone(&server);
    let work_ns = move |message: &Message| costs.work_ns(message);
    let way = (arrived, &served);
    shared(page, board, server.processors, way, watched, work_ns);
    page.transition("read and send")
        .take(&served)
        .borrow(&disk.reader)
        .borrow(&board.counts)
        .put(server.outbox.arcs().maybe().timed())
        .put(arrived.maybe())
        .put(disk.events.many().timed())
        .fire_with(move |message: Message, (reader, counts), firing| {
            server.go_on(firing.now(), message, reader, counts)
        });
}

/// Each process has a processor.
fn serving(
    page: &mut Page<'_>,
    board: &Board,
    server: Server,
    (arrived, disk): (&Queue, Disk),
    watched: &mut Watched,
) {
    let (servers, in_service) = servers(page, server.processors, watched);
    let server = Arc::new(server);
    let arriving = Arc::clone(&server);
    page.transition("arrive")
        .take(arrived)
        .borrow(&servers)
        .borrow(&board.counts)
        .put(in_service.maybe().timed())
        .fire_with(move |message: Message, (servers, counts), firing| {
            let begun = servers.come(firing.now(), message)?;
            Some(arriving.begin(begun, counts, firing))
        });
    page.transition("read and send")
        .take(&in_service)
        .borrow(&servers)
        .borrow(&disk.reader)
        .borrow(&board.counts)
        .put(server.outbox.arcs().maybe().timed())
        .put(in_service.maybe().timed())
        .put(disk.events.many().timed())
        .fire_with(move |message: Message, (servers, reader, counts), firing| {
            let now = firing.now();
            let (sent, read, events) = server.go_on(now, message, reader, counts);
            let next = servers.done(now, read);
            let begun = next.map(|next| server.begin(next, counts, firing));
            (sent, begun, events)
        });
}

impl Server {
    /// Processor time that a message takes, nanoseconds.
    fn work_ns(&self, message: &Message) -> u64 {
        if message.is_answer {
            return message.work_ns;
        }
        let file = self.traffic.files[message.file as usize];
        self.web.stores[self.web.store_of(file.site)].request_ns
    }

    /// A processor begins with a message: how long it takes.
    fn begin(
        &self,
        message: Message,
        counts: &mut Counts,
        firing: &mut Firing<'_>,
    ) -> (Time, Message) {
        counts.wait(self.at, firing.now(), message.tail);
        let takes = match counts.faults.is_stale(&message) {
            true => Time::ZERO,
            false => service(self.processors, self.work_ns(&message), firing),
        };
        (takes, message)
    }

    /// Processors have worked for a message. A piece of an answer is sent, then the next piece is read, unless a link tells when the
    /// socket has room for that. Of a request, the first piece is read. What was read goes to the processors to be handed to the socket.
    /// Where its bytes are waited for, events of disks tell.
    fn go_on(
        &self,
        now: Time,
        message: Message,
        reader: &mut FileReader,
        counts: &mut Counts,
    ) -> (Option<Sent>, Option<Message>, DiskEvents) {
        let mut delays = Delays::since(now);
        let is_stale = counts.faults.is_stale(&message);
        if !message.is_answer {
            let read = match is_stale {
                true => Some(message.spent()),
                false => {
                    let piece = reader.open(message);
                    reader.go_on(now, piece, &mut delays)
                }
            };
            return (None, read, delays.events);
        }
        let mut piece = message;
        if is_stale {
            reader.abandon(&piece);
            piece = piece.spent();
        }
        let sent = Message {
            head: now,
            tail: now,
            ..piece
        };
        let (target, outbox) = (sent.next(self.at), &self.outbox);
        let sent = outbox.send(now, target, sent, counts);
        let waits = piece.is_last || outbox.is_at_link(target, &sent);
        let read = match !waits && outbox.goes_on(target, &piece, counts) {
            true => reader.go_on(now, piece, &mut delays),
            false => None,
        };
        (Some(sent), read, delays.events)
    }
}
