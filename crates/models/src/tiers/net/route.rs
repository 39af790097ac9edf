//! Where messages go on to.

use std::sync::Arc;

use hotset_petri::{Fifo, OneOf, Place, Time};

use super::board::{Board, Queue};
use super::cable::Cable;
use crate::tiers::counts::Counts;
use crate::tiers::message::Message;

/// After what time a message is where, by the number of the place, and how it is then.
pub(super) type Sent = (Time, (usize, Message));

/// The places that messages go on to from somewhere. One firing takes a message there, however many they are.
#[derive(Clone)]
pub(super) struct Route {
    /// Whom each place leads to, rising: a node, or nothing for the clients.
    targets: Arc<[Option<usize>]>,
    places: Arc<[Queue]>,
    /// The link that all messages pass on their way.
    out: Option<Cable>,
    /// The link that those for each place pass then.
    into: Arc<[Option<Cable>]>,
    has_link: Arc<[bool]>,
}

impl Route {
    /// To these nodes, and to the clients where that is nothing. Messages leave at once, or pass a link before.
    pub fn to(board: &Board, mut targets: Vec<Option<usize>>, at_once: bool) -> Self {
        targets.sort_unstable();
        targets.dedup();
        let place = |it: &Option<usize>| match *it {
            None => (board.answered, None),
            Some(node) => board.entrances[node].of(at_once),
        };
        let (places, into): (Vec<Queue>, Vec<Option<Cable>>) = targets.iter().map(place).unzip();
        Self {
            places: places.into(),
            targets: targets.into(),
            out: None,
            into: into.into(),
            has_link: Arc::clone(&board.has_link),
        }
    }

    /// To one place, whomever messages are for.
    pub fn only(board: &Board, place: Queue) -> Self {
        Self {
            targets: Arc::new([]),
            places: Arc::new([place]),
            out: None,
            into: Arc::new([None]),
            has_link: Arc::clone(&board.has_link),
        }
    }

    /// The same through a link whose rate never changes.
    pub fn through(&self, cable: Cable) -> Self {
        Self {
            out: Some(cable),
            ..self.clone()
        }
    }

    /// The arcs of a transition that sends messages there.
    pub fn arcs(&self) -> OneOf<Fifo<Message>> {
        Place::one_of(&self.places)
    }

    /// The number of the place that leads to `target`, among those of [`Route::arcs`].
    pub fn number(&self, target: Option<usize>) -> usize {
        match self.places.len() {
            1 => 0,
            // A target that is none of them ends the run.
            _ => self.targets.binary_search(&target).unwrap_or(usize::MAX),
        }
    }

    /// A message that is for `target` leaves now.
    pub fn send(
        &self,
        now: Time,
        target: Option<usize>,
        message: Message,
        counts: &mut Counts,
    ) -> Sent {
        let number = self.number(target);
        let into = self.into.get(number).copied().flatten();
        let carried = |sent, cable: Cable| cable.carry(now, sent, counts, &self.has_link);
        let cables = self.out.into_iter().chain(into);
        let (ready, message) = cables.fold((now, message), carried);
        (ready - now, (number, message))
    }
}
