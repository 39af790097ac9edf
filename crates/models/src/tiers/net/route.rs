//! Where messages go on to.

use std::collections::BTreeMap;
use std::sync::Arc;

use hotset_petri::{Fifo, OneOf, Place, Time};

use super::board::{Board, Passage, Queue};
use super::cable::Beyond;
use crate::tiers::counts::Counts;
use crate::tiers::link_queue::Way;
use crate::tiers::message::Message;

/// After what time a message is where, by the number of the place, and how it is then.
pub(super) type Sent = (Time, (usize, Message));

/// How messages for somebody go on.
#[derive(Clone, Copy)]
pub(super) struct Onward {
    /// Where to.
    pub place: Queue,
    /// Links that they pass on their way, whose rates never change: one of whoever sends, then that of the node that they are for.
    pub links: [Option<Passage>; 2],
    /// Whether the place is where messages come to a link of whoever sends.
    pub is_at_link: bool,
    /// The node that they are for, where they pass its link.
    pub into: Option<usize>,
}

impl Onward {
    /// Straight to a place.
    pub fn to(place: Queue) -> Self {
        Self {
            place,
            links: [None; 2],
            is_at_link: false,
            into: None,
        }
    }

    /// The same after a link of whoever sends, which sees to their passing.
    pub fn after_turn(self, inbox: Queue) -> Self {
        Self {
            is_at_link: true,
            into: self.into,
            ..Self::to(inbox)
        }
    }

    /// From the switch to a node. Messages come to its link at once, or pass another before.
    pub fn from_switch(board: &Board, node: usize, at_once: bool) -> Self {
        let (place, into) = board.entrances[node].of(at_once);
        Self {
            links: [None, into],
            into: board.entrances[node].inbox.map(|_| node),
            ..Self::to(place)
        }
    }

    /// The same after a link of whoever sends.
    pub fn after(self, passage: Passage) -> Self {
        let [_, into] = self.links;
        Self {
            links: [Some(passage), into],
            ..self
        }
    }
}

/// How messages for somebody go on, with numbers of places.
#[derive(Clone, Copy)]
struct Numbered {
    onward: Onward,
    /// The place where they go to, and the inboxes of the links.
    place: usize,
    inboxes: [usize; 2],
}

/// The places that messages go on to from somewhere. One firing takes a message there, however many they are.
#[derive(Clone)]
pub(super) struct Route {
    /// Whom messages may be for, rising: a node, or nothing for clients on none.
    targets: Arc<[Option<usize>]>,
    /// How those for each go on.
    ways: Arc<[Numbered]>,
    places: Arc<[Queue]>,
    beyond: Arc<Beyond>,
    /// The node that sends all of them, where it is known.
    sender: Option<usize>,
}

impl Route {
    /// From the node `at`, past its own links, to these nodes, and to the clients where that is nothing. Messages leave at once, or
    /// pass its link to the switch before.
    pub fn leaving(board: &Board, at: usize, targets: &[Option<usize>], at_once: bool) -> Self {
        let onward = |target: &Option<usize>| match *target {
            None => Onward::to(board.answered),
            Some(node) if board.joined.has(at, node) => Onward::to(board.entrances[node].arrived),
            Some(node) => match board.inner_ways.first(at, node) {
                Some(inbox) => Onward::to(inbox),
                None => Onward::from_switch(board, node, at_once),
            },
        };
        let ways = targets.iter().map(|target| (*target, onward(target)));
        Self::of(board, ways.collect()).of_sender(at)
    }

    /// The same for what the node `at` alone sends.
    pub fn of_sender(self, at: usize) -> Self {
        Self {
            sender: Some(at),
            ..self
        }
    }

    /// To whomever each of `ways` is for. Several may have one place in common.
    pub fn of(board: &Board, mut ways: Vec<(Option<usize>, Onward)>) -> Self {
        ways.sort_unstable_by_key(|(target, _)| *target);
        ways.dedup_by_key(|(target, _)| *target);
        let mut places: Vec<Queue> = Vec::new();
        let mut known: BTreeMap<usize, usize> = BTreeMap::new();
        let targets = ways.iter().map(|(target, _)| *target).collect();
        let mut number = |place: Queue| {
            *known.entry(place.id().number()).or_insert_with(|| {
                places.push(place);
                places.len() - 1
            })
        };
        let numbered = ways.into_iter().map(|(_, onward)| Numbered {
            onward,
            place: number(onward.place),
            inboxes: onward
                .links
                .map(|link| link.map_or(usize::MAX, |it| number(it.inbox))),
        });
        Self {
            ways: numbered.collect(),
            targets,
            places: places.into(),
            beyond: Arc::clone(&board.beyond),
            sender: None,
        }
    }

    /// To one place, whomever messages are for.
    pub fn only(board: &Board, place: Queue) -> Self {
        Self::of(board, vec![(None, Onward::to(place))])
    }

    /// The arcs of a transition that sends messages there.
    pub fn arcs(&self) -> OneOf<Fifo<Message>> {
        Place::one_of(&self.places)
    }

    /// The way to `target` among [`Route::ways`]; where there is but one, it is everybody's.
    fn way(&self, target: Option<usize>) -> Option<&Numbered> {
        match self.ways.len() {
            1 => self.ways.first(),
            _ => self.ways.get(self.targets.binary_search(&target).ok()?),
        }
    }

    /// How messages for `target` go on; nothing where it is none of them.
    pub fn onward(&self, target: Option<usize>) -> Option<Onward> {
        self.way(target).map(|way| way.onward)
    }

    /// Whether a message for `target` that was sent so has come to a link of its sender, which tells what becomes of it.
    pub fn is_at_link(&self, target: Option<usize>, sent: &Sent) -> bool {
        let inbox = self.way(target).and_then(|way| match way.onward.links {
            [Some(_), _] => Some(way.inboxes[0]),
            _ => way.onward.is_at_link.then_some(way.place),
        });
        inbox == Some(sent.1.0)
    }

    /// Whether who has sent a piece of an answer to `target` goes on with the next, as far as the link into the node has to do with that. Else
    /// that link tells.
    pub fn goes_on(&self, target: Option<usize>, piece: &Message, counts: &mut Counts) -> bool {
        let into = self.way(target).and_then(|way| way.onward.into);
        into.is_none_or(|node| counts.queue(node, Way::In).goes_on(piece))
    }

    /// A message that is for `target` leaves now.
    pub fn send(
        &self,
        now: Time,
        target: Option<usize>,
        message: Message,
        counts: &mut Counts,
    ) -> Sent {
        self.go_on(now, target, (now, message), counts)
    }

    /// A message that is for `target` leaves then, as far as is known now.
    pub fn go_on(
        &self,
        now: Time,
        target: Option<usize>,
        (mut ready, mut message): (Time, Message),
        counts: &mut Counts,
    ) -> Sent {
        let Some(way) = self.way(target) else {
            // A target that is none of them ends the run.
            return (Time::ZERO, (usize::MAX, message));
        };
        if let Some(at) = self.sender {
            message.sent_by = at as u16;
        }
        for (link, inbox) in way.onward.links.iter().zip(way.inboxes) {
            let Some(Passage { cable, .. }) = link else {
                continue;
            };
            match cable.carry(now, (ready, message), counts, &self.beyond) {
                Some(carried) => (ready, message) = carried,
                None => {
                    counts.queue(cable.number, cable.way).expect();
                    return (ready - now, (inbox, message));
                }
            }
        }
        (ready - now, (way.place, message))
    }
}
