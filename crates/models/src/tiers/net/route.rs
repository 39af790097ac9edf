//! Where messages go on to.

use std::sync::Arc;

use hotset_petri::{Fifo, OneOf, Place};

use super::board::{Board, Queue};
use crate::tiers::message::Message;

/// The places that messages go on to from somewhere. One firing takes a message there, however many they are.
#[derive(Clone)]
pub(super) struct Route {
    /// Whom each place leads to, rising: a node, or nothing for the clients.
    targets: Arc<[Option<usize>]>,
    places: Arc<[Queue]>,
}

impl Route {
    /// To these nodes, and to the clients where that is nothing.
    pub fn to(board: &Board, mut targets: Vec<Option<usize>>) -> Self {
        targets.sort_unstable();
        targets.dedup();
        let place = |it: &Option<usize>| it.map_or(board.answered, |node| board.inbox[node]);
        Self {
            places: targets.iter().map(place).collect(),
            targets: targets.into(),
        }
    }

    /// To one place, whomever messages are for.
    pub fn only(place: Queue) -> Self {
        Self {
            targets: Arc::new([]),
            places: Arc::new([place]),
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
}
