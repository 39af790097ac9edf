//! What is watched during runs.

use crate::handles::{PlaceId, TransitionId};

/// What is watched during a run.
#[derive(Clone, Debug)]
pub enum Monitor {
    /// The time average of the number of tokens in places, ready or not.
    Tokens {
        /// The places.
        places: Vec<PlaceId>,
    },
    /// The share of servers that are busy, averaged over time.
    Utilisation {
        /// The places, ready or not, of those that are in service.
        places: Vec<PlaceId>,
        /// How many can be in service at once.
        servers: u32,
    },
    /// The share of servers that are busy, averaged over time: those whose tokens in unit places are not ready.
    Busy {
        /// The places of the idle servers.
        idle: Vec<PlaceId>,
        /// How many servers there are.
        servers: u32,
    },
    /// Firings of transitions in a second of simulated time.
    Firings {
        /// The transitions.
        transitions: Vec<TransitionId>,
    },
    /// Spans of time that the code of transitions records: their mean and their histogram.
    Times,
    /// The mean of values that the code of transitions records.
    Samples,
}

impl Monitor {
    /// The places that it watches.
    pub(crate) fn places(&self) -> &[PlaceId] {
        match self {
            Monitor::Tokens { places }
            | Monitor::Utilisation { places, .. }
            | Monitor::Busy { idle: places, .. } => places,
            Monitor::Firings { .. } | Monitor::Times | Monitor::Samples => &[],
        }
    }
}

/// A monitor of a flat net.
pub(crate) struct MonitorSpec {
    pub name: String,
    pub kind: Monitor,
    /// The places that it watches, by their dense numbers.
    pub places: Vec<u32>,
}
