//! One way of a link, drawn: of a node's to the switch, or of one between two nodes or two switches.

use std::sync::Arc;

use hotset_petri::{Colour, Fifo, Page, Place, Time};

use super::board::{Board, Queue};
use super::cable::{Beyond, Cable};
use super::route::{Route, Sent};
use crate::tiers::counts::Counts;
use crate::tiers::link_queue::Come;
use crate::tiers::message::Message;

/// Something that is held back may be all in line now.
#[derive(Clone, Copy, Debug)]
struct Look;

impl Colour for Look {}

/// The servers that a link tells when sockets have room for more of an answer.
pub(super) struct Told {
    /// The servers, rising, and where they are told.
    nodes: Vec<usize>,
    places: Vec<Queue>,
    /// Whether they wait for that with each piece that comes here. Else they do where the link says so.
    all_wait: bool,
}

impl Told {
    /// Who sends by a link of its own.
    pub fn before(board: &Board, at: usize) -> Self {
        Self {
            all_wait: true,
            ..Self::behind(board, &[at])
        }
    }

    /// Those who send to the node behind the link.
    pub fn behind(board: &Board, senders: &[usize]) -> Self {
        let place = |at: &usize| Some((*at, (*board.sockets.get(*at)?)?));
        let (nodes, places) = senders.iter().filter_map(place).unzip();
        Self {
            nodes,
            places,
            all_wait: false,
        }
    }

    /// The server of a piece of an answer is told to go on.
    fn tell(&self, piece: Message) -> Option<(usize, Message)> {
        let server = self.nodes.binary_search(&usize::from(piece.web));
        Some((server.ok()?, piece))
    }

    /// The same where it waits for that with each piece.
    fn tell_of(&self, piece: Message) -> Option<(usize, Message)> {
        let waits = self.all_wait && piece.is_answer && !piece.is_last;
        self.tell(piece).filter(|_| waits)
    }
}

/// Messages come to the link, and go on behind it: those that are held back when they are all in line.
pub(super) fn direction(
    page: &mut Page<'_>,
    board: &Board,
    (cable, name): (Cable, &str),
    (from, to): (&Queue, &Route),
    told: Told,
) {
    let carrier = Carrier {
        cable,
        to: to.clone(),
        told,
        beyond: Arc::clone(&board.beyond),
    };
    page.page(name, |page| draw(page, board, carrier, from));
}

fn draw(page: &mut Page<'_>, board: &Board, carrier: Carrier, from: &Queue) {
    let looks: Place<Fifo<Look>> = page.fifo("held back", []);
    let carrier = Arc::new(carrier);
    let coming = Arc::clone(&carrier);
    page.transition("come")
        .take(from)
        .borrow(&board.counts)
        .put(carrier.to.arcs().maybe().timed())
        .put(looks.maybe().timed())
        .put(Place::one_of(&carrier.told.places).maybe())
        .fire_with(move |message: Message, counts, firing| {
            coming.come(firing.now(), message, counts)
        });
    page.transition("let in")
        .take(&looks)
        .borrow(&board.counts)
        .put(carrier.to.arcs().maybe().timed())
        .put(looks.maybe().timed())
        .put(Place::one_of(&carrier.told.places).maybe())
        .fire_with(move |Look, counts, firing| carrier.let_in(firing.now(), counts));
}

/// A message that goes on, when it is looked at what is held back, and a piece behind which its sender's socket has room.
type Carried = (Option<Sent>, Option<(Time, Look)>, Option<(usize, Message)>);

/// What a link does with messages.
struct Carrier {
    cable: Cable,
    /// Where they go on to.
    to: Route,
    told: Told,
    beyond: Arc<Beyond>,
}

impl Carrier {
    /// The link as it is now.
    fn cable(&self, counts: &Counts) -> Cable {
        self.cable
            .since_events(counts.faults.rate(self.cable.number))
    }

    /// A message comes.
    fn come(&self, now: Time, message: Message, counts: &mut Counts) -> Carried {
        let cable = self.cable(counts);
        let is_stale = counts.faults.is_stale(&message);
        let passing = cable.passing(now, &message, is_stale);
        let queue = counts.queue(cable.number, cable.way);
        match queue.come(now, cable.link, (message, passing)) {
            Come::Passes(start) => {
                let carried = cable.passed(start, passing.passing_ns, message, &self.beyond);
                let sent = self.go_on(now, carried, counts);
                (Some(sent), None, self.told.tell_of(message))
            }
            Come::Waits(next_ns) => {
                let told = self.told.tell_of(message);
                let told = told.filter(|_| queue.goes_on(&message));
                (None, look_after(next_ns), told)
            }
        }
    }

    /// Something that was held back may be all in line.
    fn let_in(&self, now: Time, counts: &mut Counts) -> Carried {
        let cable = self.cable(counts);
        let (ended, next_ns) = counts.end((cable.number, cable.way), now, cable.link);
        let look = look_after(next_ns);
        let Some(held) = ended else {
            return (None, look, None);
        };
        let queue = counts.queue(cable.number, cable.way);
        let blocked = queue.unblock(&held.message);
        let told = blocked.and_then(|piece| self.told.tell(piece));
        let carried = cable.let_in(now, &held, &self.beyond);
        (Some(self.go_on(now, carried, counts)), look, told)
    }

    fn go_on(&self, now: Time, carried: (Time, Message), counts: &mut Counts) -> Sent {
        let target = self.cable.target(&carried.1);
        self.to.go_on(now, target, carried, counts)
    }
}

fn look_after(next_ns: Option<u64>) -> Option<(Time, Look)> {
    next_ns.map(|ns| (Time::from_nanos(ns), Look))
}
