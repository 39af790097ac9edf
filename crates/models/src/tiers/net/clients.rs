//! Clients: who makes the requests, and takes the answers.

use std::sync::Arc;

use hotset_petri::{Colour, Page, Time};

use super::board::{Board, Queue};
use crate::tiers::message::Message;
use crate::tiers::system::{Arrivals, ClientClass, Tiers};

/// A client who thinks.
#[derive(Clone, Copy, Debug)]
struct Client {
    class: u16,
    /// Whether the client has made no request yet.
    is_new: bool,
}

impl Colour for Client {}

/// The request that comes next, by its place in the traffic.
#[derive(Clone, Copy, Debug)]
struct Arrival(u32);

impl Colour for Arrival {}

/// Draws them.
pub(super) fn clients(page: &mut Page<'_>, tiers: &Tiers, board: &Board) {
    let asked = asked(page, tiers, board);
    match &tiers.arrivals {
        Arrivals::Closed(classes) => closed(page, board, &asked, classes),
        Arrivals::Open(entries) => open(page, board, &asked, entries),
    }
}

/// Where requests are when they are made. They go on from there to the node that is asked.
fn asked(page: &mut Page<'_>, tiers: &Tiers, board: &Board) -> Queue {
    let entries = tiers.entries();
    if let [only] = entries[..] {
        return board.inbox[only];
    }
    let asked: Queue = page.fifo("asked", []);
    for entry in entries {
        page.transition(&format!("to node {entry}"))
            .take(&asked)
            .when(move |request| usize::from(request.entry) == entry)
            .put(&board.inbox[entry])
            .fire(|request, _| request);
    }
    asked
}

/// Each client makes the next request of the traffic, waits for its answer, and thinks.
fn closed(page: &mut Page<'_>, board: &Board, asked: &Queue, classes: &[ClientClass]) {
    let all = classes.iter().enumerate().flat_map(|(class, it)| {
        let client = Client {
            class: class as u16,
            is_new: true,
        };
        std::iter::repeat_n(client, it.clients as usize)
    });
    let thinking = page.fifo("thinking", all);
    let (traffic, of) = (Arc::clone(&board.traffic), classes.to_vec());
    page.transition("ask")
        .take(&thinking)
        .borrow(&board.counts)
        .put(asked.maybe())
        .put(thinking.maybe().timed())
        .fire_with(move |client: Client, counts, firing| {
            let ClientClass { asks, think_ns, .. } = of[usize::from(client.class)];
            if client.is_new && think_ns > 0 {
                // Clients who all began at once would go on doing so for long.
                let wait_ns = (firing.random().unit() * think_ns as f64) as u64;
                let waits = Client {
                    is_new: false,
                    ..client
                };
                return (None, Some((Time::from_nanos(wait_ns), waits)));
            }
            let row = counts.asked;
            if row == traffic.requests.len() {
                return (None, None);
            }
            counts.asked += 1;
            let (file, _) = traffic.file_of(row);
            let request = Message::request(row, file, client.class, asks, firing.now());
            (Some(request), None)
        });
    let (traffic, of) = (Arc::clone(&board.traffic), classes.to_vec());
    page.transition("receive")
        .take(&board.answered)
        .borrow(&board.counts)
        .put(thinking.maybe().timed())
        .fire_with(move |piece: Message, counts, firing| {
            let has_ended = counts.receive(firing.now(), &piece, &traffic);
            has_ended.then(|| {
                let think_ns = of[usize::from(piece.class)].think_ns;
                let client = Client {
                    class: piece.class,
                    is_new: false,
                };
                (Time::from_nanos(think_ns), client)
            })
        });
}

/// Requests come at the traffic's times, whatever becomes of earlier ones.
fn open(page: &mut Page<'_>, board: &Board, asked: &Queue, entries: &[usize]) {
    let arriving = page.fifo("arriving", [Arrival(0)]);
    let (traffic, entries) = (Arc::clone(&board.traffic), entries.to_vec());
    page.transition("arrive")
        .take(&arriving)
        .borrow(&board.counts)
        .put(asked)
        .put(arriving.maybe().timed())
        .fire_with(move |Arrival(number), counts, firing| {
            counts.asked += 1;
            let row = number as usize;
            let (file, _) = traffic.file_of(row);
            let entry = entries[row % entries.len()];
            let request = Message::request(row, file, 0, entry, firing.now());
            let next = traffic.gap_ns(row);
            let next = next.map(|gap_ns| (Time::from_nanos(gap_ns), Arrival(number + 1)));
            (request, next)
        });
    let traffic = Arc::clone(&board.traffic);
    page.transition("receive")
        .take(&board.answered)
        .borrow(&board.counts)
        .fire_with(move |piece: Message, counts, firing| {
            counts.receive(firing.now(), &piece, &traffic);
        });
}
