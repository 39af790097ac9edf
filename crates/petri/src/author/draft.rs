//! What is known of a net while it is drawn.

use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::{HashMap, HashSet};

use crate::error::{Flaw, NetError};
use crate::handles::{PlaceId, TransitionId};
use crate::monitor::Monitor;
use crate::net::{DrawnPlace, DrawnTransition, Holding, ObjectSpec};

/// The authored tree, flattened as it is written down: paths keep the hierarchy.
#[derive(Default)]
pub struct Draft {
    pub(crate) net: u64,
    pub(crate) names: HashSet<String>,
    /// The paths of pages, each before those on it.
    pub(crate) pages: Vec<String>,
    pub(crate) places: Vec<DrawnPlace>,
    /// Pairs of places that are one.
    pub(crate) unions: Vec<(u32, u32)>,
    pub(crate) connected: HashSet<u32>,
    /// The first place of each fusion set.
    pub(crate) sets: HashMap<String, u32>,
    pub(crate) transitions: Vec<DrawnTransition>,
    /// Monitors and their paths.
    pub(crate) monitors: Vec<(String, Monitor)>,
    pub(crate) objects: Vec<ObjectSpec>,
    /// Places whose tokens say that the net has ended.
    pub(crate) ends: Vec<u32>,
    pub(crate) errors: Vec<NetError>,
}

impl Draft {
    pub(crate) fn new() -> Draft {
        static NETS: AtomicU64 = AtomicU64::new(0);
        Draft {
            net: NETS.fetch_add(1, Ordering::Relaxed),
            ..Draft::default()
        }
    }

    /// Takes a name of a page, and gives its path.
    pub(crate) fn name(&mut self, prefix: &str, name: &str) -> String {
        let path = format!("{prefix}{name}");
        if name.is_empty() || name.contains('/') {
            self.errors.push(Flaw::BadName.at(&path));
        } else if !self.names.insert(path.clone()) {
            self.errors.push(Flaw::NameTaken.at(&path));
        }
        path
    }

    pub(crate) fn place(&mut self, path: String, is_port: bool, holding: Holding) -> PlaceId {
        let index = self.places.len() as u32;
        self.places.push(DrawnPlace {
            path,
            is_port,
            holding,
            socket: None,
            sets: Vec::new(),
        });
        PlaceId {
            net: self.net,
            index,
        }
    }

    /// Makes a port one with its socket.
    pub(crate) fn connect(&mut self, port: PlaceId, socket: PlaceId) {
        self.unions.push((port.index, socket.index));
        self.places[port.index as usize].socket = Some(socket.index);
    }

    /// The first place of a fusion set; this one, where the set has none.
    pub(crate) fn first_of(&mut self, set: &str, place: PlaceId) -> u32 {
        *self.sets.entry(set.to_owned()).or_insert(place.index)
    }

    /// Makes a place one with the first of a fusion set.
    pub(crate) fn fuse(&mut self, set: &str, place: PlaceId, first: u32) {
        self.unions.push((place.index, first));
        self.places[place.index as usize].sets.push(set.to_owned());
    }

    /// Whether a place is one of this net; where it is not, that is an error of `user`.
    pub(crate) fn owns(&mut self, place: PlaceId, user: &str) -> bool {
        let owns = place.net == self.net;
        if !owns {
            self.errors.push(Flaw::ForeignPlace.at(user));
        }
        owns
    }

    pub(crate) fn transition(&mut self, transition: DrawnTransition) -> TransitionId {
        let gives = transition.gives.iter().map(|it| it.place);
        let needs = transition.needs.iter().chain(&transition.inhibitors);
        let places = needs
            .map(|it| it.0)
            .chain(gives)
            .chain(transition.resets.iter().copied())
            .chain(transition.coloured_in.iter().copied())
            .chain(transition.coloured_out.iter().map(|it| it.place));
        let places: Vec<PlaceId> = places.collect();
        // A transition with a foreign arc or object is left out: the error stands for it.
        let owned = places
            .into_iter()
            .all(|place| self.owns(place, &transition.path));
        let is_foreign = transition.objects.iter().any(|it| it.net != self.net);
        if is_foreign {
            let error = Flaw::ForeignObject.at(&transition.path);
            self.errors.push(error);
        }
        let index = self.transitions.len() as u32;
        if owned && !is_foreign {
            self.transitions.push(transition);
        }
        TransitionId {
            net: self.net,
            index,
        }
    }
}
