//! Clients: who makes the requests, and takes the answers.

use std::sync::Arc;

use hotset_petri::{Colour, Page, Time};

use super::board::Board;
use super::route::Route;
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
    let entries = tiers.entries().into_iter().map(Some);
    let asked = Route::to(board, entries.collect());
    match &tiers.arrivals {
        Arrivals::Closed(classes) => closed(page, board, &asked, classes),
        Arrivals::Open(entries) => open(page, board, &asked, entries),
    }
}

/// Each client makes the next request of the traffic, waits for its answer, and thinks.
fn closed(page: &mut Page<'_>, board: &Board, asked: &Route, classes: &[ClientClass]) {
    let all = classes.iter().enumerate().flat_map(|(class, it)| {
        let client = Client {
            class: class as u16,
            is_new: true,
        };
        std::iter::repeat_n(client, it.clients as usize)
    });
    let thinking = page.fifo("thinking", all);
    let (traffic, of) = (Arc::clone(&board.traffic), classes.to_vec());
    let route = asked.clone();
    page.transition("ask")
        .take(&thinking)
        .borrow(&board.counts)
        .put(asked.arcs().maybe())
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
            (Some((route.number(Some(asks)), request)), None)
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
fn open(page: &mut Page<'_>, board: &Board, asked: &Route, entries: &[usize]) {
    let arriving = page.fifo("arriving", [Arrival(0)]);
    let (traffic, entries) = (Arc::clone(&board.traffic), entries.to_vec());
    let route = asked.clone();
    page.transition("arrive")
        .take(&arriving)
        .borrow(&board.counts)
        .put(asked.arcs())
        .put(arriving.maybe().timed())
        .fire_with(move |Arrival(number), counts, firing| {
            counts.asked += 1;
            let row = number as usize;
            let (file, _) = traffic.file_of(row);
            let entry = entries[row % entries.len()];
            let request = Message::request(row, file, 0, entry, firing.now());
            let next = traffic.gap_ns(row);
            let next = next.map(|gap_ns| (Time::from_nanos(gap_ns), Arrival(number + 1)));
            ((route.number(Some(entry)), request), next)
        });
    let traffic = Arc::clone(&board.traffic);
    page.transition("receive")
        .take(&board.answered)
        .borrow(&board.counts)
        .fire_with(move |piece: Message, counts, firing| {
            counts.receive(firing.now(), &piece, &traffic);
        });
}
