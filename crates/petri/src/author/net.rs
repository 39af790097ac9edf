//! A net that may be run: flat, with dense numbers, checked.

use std::fmt;
use std::sync::Arc;

use super::draft::{Draft, DraftPlace, DraftTransition, MakeShelf};
use super::{Page, check};
use crate::arcs::MakeBody;
use crate::delay::Delay;
use crate::error::NetError;
use crate::run::{Choice, Simulation};

/// A net that was found meaningful. It can be run any number of times, by several threads at once.
pub struct Net {
    pub(crate) name: String,
    pub(crate) places: Vec<PlaceSpec>,
    pub(crate) transitions: Vec<TransitionSpec>,
    pub(crate) monitors: Vec<MonitorSpec>,
    /// The place that each authored place became.
    pub(crate) dense: Vec<u32>,
    pub(crate) authored: Authored,
}

/// The net as it was authored, with pages, ports and fusion sets: what drawings and exports show.
pub(crate) struct Authored {
    /// The paths of pages, each before those on it.
    pub pages: Vec<String>,
    pub places: Vec<DraftPlace>,
    pub transitions: Vec<DraftTransition>,
}

pub(crate) struct PlaceSpec {
    pub path: String,
    /// The authored place that it is named after.
    pub authored: u32,
    pub initial: u32,
    /// Nothing for unit places.
    pub shelf: Option<MakeShelf>,
}

pub(crate) struct TransitionSpec {
    pub path: String,
    /// Unit tokens it takes: place and how many; each place once.
    pub needs: Vec<(u32, u32)>,
    pub gives: Vec<(u32, u32, Delay)>,
    pub inhibitors: Vec<(u32, u32)>,
    pub resets: Vec<u32>,
    pub coloured_in: Vec<u32>,
    pub coloured_out: Vec<(u32, Delay)>,
    pub delay: Delay,
    /// Its rank among the urgencies of the net: 0 fires first.
    pub level: usize,
    pub body: Option<Arc<dyn MakeBody>>,
}

/// What is watched, in dense numbers.
pub(crate) struct MonitorSpec {
    pub name: String,
    pub watched: Watched,
}

pub(crate) enum Watched {
    Tokens {
        places: Vec<u32>,
        /// The number of servers, where it is their utilisation.
        servers: Option<u32>,
    },
    /// Unit tokens that are not ready.
    Busy {
        idle: Vec<u32>,
        servers: u32,
    },
    Firings {
        transitions: Vec<u32>,
    },
    Times,
    Samples,
}

impl Net {
    /// Draws a net, and checks it.
    ///
    /// # Errors
    /// The first thing that cannot be meant, with its path.
    pub fn build(name: &str, author: impl FnOnce(&mut Page<'_>)) -> Result<Net, NetError> {
        let mut draft = Draft::new();
        author(&mut Page::top(&mut draft));
        check::flatten(name, draft)
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Paths of its places; fused places and connected ports are one.
    pub fn places(&self) -> impl ExactSizeIterator<Item = &str> {
        self.places.iter().map(|place| place.path.as_str())
    }

    /// Paths of its transitions.
    pub fn transitions(&self) -> impl ExactSizeIterator<Item = &str> {
        self.transitions.iter().map(|it| it.path.as_str())
    }

    /// Names of its monitors.
    pub fn monitors(&self) -> impl ExactSizeIterator<Item = &str> {
        self.monitors.iter().map(|it| it.name.as_str())
    }

    /// A run of the net from its initial marking. `replication` gives it random numbers of its own.
    #[must_use]
    pub fn simulate(&self, seed: u64, replication: u64, choice: Choice) -> Simulation<'_> {
        Simulation::new(self, seed, replication, choice)
    }
}

impl fmt::Debug for Net {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (places, transitions) = (self.places.len(), self.transitions.len());
        write!(
            f,
            "{}: {places} places, {transitions} transitions",
            self.name
        )
    }
}
