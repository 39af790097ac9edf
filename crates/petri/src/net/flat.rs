//! A net that may be run: flat, with dense numbers, checked.

use std::any::Any;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use super::body::MakeBody;
use super::drawing::{Drawing, MakeShelf};
use crate::delay::Delay;
use crate::monitor::MonitorSpec;
use crate::stream::Stream;

/// A net that was found meaningful. It can be run any number of times, by several threads at once.
pub struct Net {
    pub(crate) name: String,
    /// The drawn ones, then one for each transition that takes nothing.
    pub(crate) places: Vec<PlaceSpec>,
    pub(crate) drawn_places: usize,
    pub(crate) transitions: Vec<TransitionSpec>,
    pub(crate) monitors: Vec<MonitorSpec>,
    pub(crate) objects: Vec<ObjectSpec>,
    /// The places whose tokens say that it has ended.
    pub(crate) ends: Vec<u32>,
    /// The place that each place of the drawing became.
    pub(crate) dense: Vec<u32>,
    pub(crate) drawing: Drawing,
}

/// A place of a flat net.
pub(crate) struct PlaceSpec {
    pub path: String,
    /// The place of the drawing that it is named after.
    pub drawn: u32,
    pub initial: u32,
    /// Nothing for unit places.
    pub shelf: Option<MakeShelf>,
}

/// A transition of a flat net.
pub(crate) struct TransitionSpec {
    pub path: String,
    /// Unit tokens it takes: place and how many; each place once.
    pub needs: Vec<(u32, u32)>,
    pub gives: Vec<(u32, u32, Delay)>,
    pub inhibitors: Vec<(u32, u32)>,
    pub resets: Vec<u32>,
    pub coloured_in: Vec<u32>,
    pub coloured_out: Vec<Output>,
    pub delay: Delay,
    /// Its rank among the urgencies of the net: 0 fires first.
    pub level: usize,
    pub body: Option<Arc<dyn MakeBody>>,
    /// Whether it borrows objects of the run.
    pub borrows: bool,
}

impl TransitionSpec {
    /// Whether it takes and gives nothing but what its body does, at once, whatever other places hold.
    pub fn is_plain(&self) -> bool {
        let takes = !self.needs.is_empty() || !self.inhibitors.is_empty();
        let gives = !self.gives.is_empty() || !self.resets.is_empty();
        self.body.is_some() && self.delay.is_none() && !takes && !gives
    }
}

/// An arc to a place of coloured tokens.
pub(crate) struct Output {
    pub place: u32,
    pub after: Delay,
    /// Whether each token has a delay of its own.
    pub is_timed: bool,
}

/// An object of each run, and how it is made.
pub(crate) struct ObjectSpec {
    pub path: String,
    pub make: MakeObject,
}

/// Makes an object for a run, with random numbers of its own.
pub(crate) type MakeObject = Box<dyn Fn(&mut Stream) -> Rc<dyn Any> + Send + Sync>;

impl Net {
    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The net as it was drawn.
    #[must_use]
    pub fn drawing(&self) -> &Drawing {
        &self.drawing
    }

    /// The place of the drawing that a place of the drawing is one with, and the initial tokens of both: a port's socket's, or the first
    /// member's of a fusion set.
    #[must_use]
    pub fn root(&self, drawn: usize) -> (usize, u32) {
        let place = &self.places[self.dense[drawn] as usize];
        (place.drawn as usize, place.initial)
    }

    /// Paths of its places; fused places and connected ports are one.
    pub fn places(&self) -> impl ExactSizeIterator<Item = &str> {
        let drawn = &self.places[..self.drawn_places];
        drawn.iter().map(|place| place.path.as_str())
    }

    /// Transitions that were drawn without anything to take.
    pub(crate) fn sources(&self) -> impl Iterator<Item = &TransitionSpec> {
        let takes_its_turn = move |it: &&TransitionSpec| {
            let mut places = it.needs.iter().map(|it| it.0 as usize);
            places.any(|place| place >= self.drawn_places)
        };
        self.transitions.iter().filter(takes_its_turn)
    }

    /// Paths of its transitions.
    pub fn transitions(&self) -> impl ExactSizeIterator<Item = &str> {
        self.transitions.iter().map(|it| it.path.as_str())
    }

    /// Whether it has ended where its places have so many tokens: each place that says so has one. A net without such places never ends.
    pub(crate) fn has_ended(&self, tokens: impl Fn(usize) -> u32) -> bool {
        let mut ends = self.ends.iter();
        !self.ends.is_empty() && ends.all(|&place| tokens(place as usize) > 0)
    }

    /// Names of its monitors.
    pub fn monitors(&self) -> impl ExactSizeIterator<Item = &str> {
        self.monitors.iter().map(|it| it.name.as_str())
    }
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (places, transitions) = (self.drawn_places, self.transitions.len());
        write!(
            f,
            "{}: {places} places, {transitions} transitions",
            self.name
        )
    }
}
