//! Where messages go on to.

use std::collections::BTreeMap;
use std::sync::Arc;

use hotset_petri::{Fifo, OneOf, Place};

use super::board::{Board, Queue};
use crate::tiers::message::Message;

/// The places that messages go on to from somewhere. One firing takes a message there, however many they are.
#[derive(Clone)]
pub(super) struct Route {
    /// Whom places lead to, rising: a node, or nothing for the clients.
    targets: Arc<[Option<usize>]>,
    /// The number of the place that leads to each.
    numbers: Arc<[usize]>,
    places: Arc<[Queue]>,
}

impl Route {
    /// From the node `at` to these nodes, and to the clients where that is nothing.
    pub fn leaving(board: &Board, at: usize, targets: &[Option<usize>]) -> Self {
        let place = |it: &Option<usize>| match it {
            Some(node) => (*it, board.inbox_from(at, *node)),
            None => (None, board.answered),
        };
        Self::of(targets.iter().map(place).collect())
    }

    /// To places, each with whom it leads to. Several may have one place in common.
    pub fn of(mut ways: Vec<(Option<usize>, Queue)>) -> Self {
        ways.sort_unstable_by_key(|(target, _)| *target);
        ways.dedup_by_key(|(target, _)| *target);
        let (mut places, mut known) = (Vec::new(), BTreeMap::new());
        let numbers = ways.iter().map(|(_, place)| {
            *known.entry(place.id().number()).or_insert_with(|| {
                places.push(*place);
                places.len() - 1
            })
        });
        Self {
            numbers: numbers.collect(),
            targets: ways.iter().map(|(target, _)| *target).collect(),
            places: places.into(),
        }
    }

    /// To one place, whomever messages are for.
    pub fn only(place: Queue) -> Self {
        Self {
            targets: Arc::new([]),
            numbers: Arc::new([]),
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
            _ => match self.targets.binary_search(&target) {
                Ok(place) => self.numbers[place],
                Err(_) => usize::MAX,
            },
        }
    }

    /// The place that leads to `target`, which is one of those it was made of.
    pub fn place(&self, target: Option<usize>) -> Queue {
        let number = self.number(target);
        self.places[number.min(self.places.len() - 1)]
    }
}
