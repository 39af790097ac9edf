//! A web server: a request costs its processors time, then piece after piece of its file is read and sent.

use std::sync::Arc;

use hotset_petri::{Fifo, Firing, Object, Page, Place, Time};

use super::board::{Board, Queue, Watched};
use super::following::following;
use super::processors::{servers, service, shared};
use super::route::{Route, Sent};
use crate::remote::Expiry;
use crate::tiers::calls::{Call, Calls};
use crate::tiers::counts::Counts;
use crate::tiers::file_reader::FileReader;
use crate::tiers::message::Message;
use crate::tiers::stacks::Stacks;
use crate::tiers::storage_events::{Delays, StorageEvent};
use crate::tiers::system::{Mounted, Processors, Web};
use crate::tiers::traffic::Traffic;

/// What takes place at a node's stores, and when.
type StorageEvents = Vec<(Time, StorageEvent)>;

/// A web node.
pub(super) struct WebNode<'n> {
    /// Its number.
    pub at: usize,
    pub processors: Processors,
    pub web: &'n Web,
    /// The file servers of stores that it mounts, by store.
    pub mounts: &'n Arc<[Option<Mounted>]>,
    /// The files that it can be asked for, rising; nothing where these may be all.
    pub own: Option<Arc<[u32]>>,
    pub stacks: Stacks,
}

/// Draws it between where messages arrive and where they are to be sent from; its storage.
pub(super) fn web(
    page: &mut Page<'_>,
    board: &mut Board,
    node: WebNode<'_>,
    (arrived, outbox): (&Queue, &Route),
    watched: &mut Watched,
) -> Object<FileReader> {
    let WebNode {
        at,
        processors,
        web,
        mounts,
        own,
        stacks,
    } = node;
    let (spec, traffic) = (web.clone(), Arc::clone(&board.traffic));
    let mounted = Arc::clone(mounts);
    let reader = page.object("storage", move |stream| {
        let (node, seed) = ((at, &spec), stream.below(u64::MAX));
        let made = FileReader::new(node, &mounted, &traffic, own.as_ref(), seed);
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
        mounts: Arc::clone(mounts),
        traffic: Arc::clone(&board.traffic),
        outbox: outbox.clone(),
        stacks,
    };
    match processors.are_limited() {
        true => sharing(page, board, server, (arrived, disk), watched),
        false => serving(page, board, server, (arrived, disk), watched),
    }
    match board.calls {
        None => disks(page, disk, arrived),
        Some(calls) => disks_and_calls(page, board, (at, disk, calls), (arrived, outbox)),
    }
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
        events.of_disks(page, at, &reader, FileReader::set_speed);
    }
    if web.follow.is_some() {
        following(page, &board.counts, &reader, &disk.events);
    }
    reader
}

/// Its storage, and where what takes place there is until its time.
#[derive(Clone, Copy)]
struct Disk {
    reader: Object<FileReader>,
    events: Place<Fifo<StorageEvent>>,
}

/// Draws what its disks do.
fn disks(page: &mut Page<'_>, disk: Disk, arrived: &Queue) {
    page.transition("disk")
        .take(&disk.events)
        .borrow(&disk.reader)
        .put(disk.events.many().timed())
        .put(arrived.many())
        .fire_with(|event, reader, firing| {
            let now = firing.now();
            let mut delays = Delays::since(now);
            let woken = match event {
                StorageEvent::Device(event) => reader.handle(now, event, &mut delays),
                // Where nothing is mounted, there are no calls.
                StorageEvent::Calls(_)
                | StorageEvent::Answered(..)
                | StorageEvent::Late(..)
                | StorageEvent::There(_)
                | StorageEvent::Log => Vec::new(),
            };
            let read = go_on(now, woken, reader, &mut delays);
            (delays.events, read)
        });
}

/// Draws the same with calls to file servers, which leave as other messages do.
fn disks_and_calls(
    page: &mut Page<'_>,
    board: &Board,
    (at, disk, calls): (usize, Disk, Object<Calls>),
    (arrived, outbox): (&Queue, &Route),
) {
    let route = outbox.clone();
    page.transition("disk")
        .take(&disk.events)
        .borrow(&disk.reader)
        .borrow(&calls)
        .borrow(&board.counts)
        .put(disk.events.many().timed())
        .put(arrived.many())
        .put(outbox.arcs().maybe().timed())
        .fire_with(move |event, (reader, calls, counts), firing| {
            let now = firing.now();
            let mut delays = Delays::since(now);
            let (mut woken, mut sent) = (Vec::new(), None);
            match event {
                StorageEvent::Device(event) => woken = reader.handle(now, event, &mut delays),
                StorageEvent::There(number) => {
                    woken = reader.end_transfer(now, number, &mut delays);
                }
                StorageEvent::Log => reader.write_log(now, &mut delays),
                StorageEvent::Calls(number) => match reader.send(number) {
                    None => {}
                    Some(call) if is_out_of_reach(at, &call, reader, counts) => {
                        woken = reader.end_call(now, (&call, true), &mut delays);
                    }
                    Some(call) => {
                        let message = calls.begin(now, call);
                        run_timer(calls, &message, &mut delays);
                        sent = Some(route.send(now, message.next(at), message, counts));
                    }
                },
                StorageEvent::Answered(call, row) => {
                    if let Some(call) = calls.end(now, (call, row)) {
                        woken = reader.end_call(now, (&call, false), &mut delays);
                    }
                }
                StorageEvent::Late(call, row) => {
                    let server = calls.server_of((call, row));
                    let is_gone =
                        server.is_some_and(|it| counts.faults.is_out_of_reach(Some(at), it));
                    match calls.expire(now, (call, row), is_gone) {
                        None => {}
                        Some(Expiry::GivesUp) => {
                            for lost in calls.lost_with((call, row)) {
                                if let Some(call) = calls.give_up(lost) {
                                    woken.extend(reader.end_call(now, (&call, true), &mut delays));
                                }
                            }
                        }
                        Some(expiry) => {
                            let message = calls.again(now, (call, row));
                            run_timer(calls, &message, &mut delays);
                            if expiry == Expiry::SendsAgain {
                                let target = message.next(at);
                                sent = Some(route.send(now, target, message, counts));
                            }
                        }
                    }
                }
            }
            let read = go_on(now, woken, reader, &mut delays);
            (delays.events, read, sent)
        });
}

/// Whether a call fails at once: its connection is broken, and its server out of reach.
fn is_out_of_reach(at: usize, call: &Call, reader: &mut FileReader, counts: &Counts) -> bool {
    reader.is_broken(call) && counts.faults.is_out_of_reach(Some(at), call.server)
}

/// The timer of a call runs, where it has one.
fn run_timer(calls: &mut Calls, message: &Message, delays: &mut Delays) {
    let call = (message.call, message.row);
    if let Some(wait_ns) = calls.wait_ns(call) {
        let late = StorageEvent::Late(call.0, call.1);
        delays.events.push((Time::from_nanos(wait_ns), late));
    }
}

/// Pieces go on that have waited; those that are in memory now.
fn go_on(
    now: Time,
    woken: Vec<Message>,
    reader: &mut FileReader,
    delays: &mut Delays,
) -> Vec<Message> {
    let read = woken.into_iter().filter_map(|piece| match piece.is_error {
        true => Some(piece),
        false => reader.go_on(now, piece, delays),
    });
    read.collect()
}

/// What a web server does with messages.
struct Server {
    at: usize,
    processors: Processors,
    web: Web,
    mounts: Arc<[Option<Mounted>]>,
    traffic: Arc<Traffic>,
    outbox: Route,
    stacks: Stacks,
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
        if message.of_call().is_some() {
            return self.call_ns(message) + self.stacks.call_ns(message);
        }
        let stack_ns = self.stacks.work_ns(message);
        if message.is_answer {
            return message.work_ns + stack_ns;
        }
        let file = self.traffic.files[message.file as usize];
        self.web.stores[self.web.store_of(file.site)].request_ns + stack_ns
    }

    /// Processor time of a call, of which the answer has come: all of it is counted then, as if nothing was before.
    fn call_ns(&self, answer: &Message) -> u64 {
        let mut mounts = self.mounts.iter().flatten();
        let of_server = mounts.find(|it| it.servers.contains(&usize::from(answer.entry)));
        of_server.map_or(0, |it| {
            let costs = it.export.client_costs;
            costs.call_ns + costs.bytes_ns(u64::from(answer.bytes))
        })
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
    ) -> (Option<Sent>, Option<Message>, StorageEvents) {
        let mut delays = Delays::since(now);
        if let Some(call) = message.of_call() {
            let answered = (Time::ZERO, StorageEvent::Answered(call, message.row));
            return (None, None, vec![answered]);
        }
        let is_stale = counts.faults.is_stale(&message);
        if !message.is_answer {
            let read = match is_stale {
                true => Some(message.spent()),
                false => {
                    reader.make_room(now, counts.workers(self.at));
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
