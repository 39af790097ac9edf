//! Drawing a net node by node, where it does not come page by page.

use super::draft::{Draft, DraftMonitor, Holding};
use super::{Monitor, Net, PlaceId, check};
use crate::error::NetError;

/// A net that is being drawn.
pub(crate) struct Authoring {
    pub draft: Draft,
}

impl Authoring {
    pub fn new() -> Authoring {
        Authoring {
            draft: Draft::new(),
        }
    }

    /// A unit place of this path.
    pub fn unit(&mut self, path: String, is_port: bool, tokens: u32) -> PlaceId {
        self.draft.place(path, is_port, Holding::units(tokens))
    }

    /// Whether a place is on the page above another's.
    pub fn is_above(&self, above: PlaceId, below: PlaceId) -> bool {
        let page = |place: PlaceId| {
            let path = &self.draft.places[place.index as usize].path;
            path.rsplit_once('/').map(|(page, _)| page)
        };
        page(below).is_some_and(|below| {
            let page_above = below.rsplit_once('/').map(|(page, _)| page);
            page(above) == page_above
        })
    }

    /// Makes a place a port, and one with its socket.
    pub fn connect(&mut self, port: PlaceId, socket: PlaceId) {
        let draft = &mut self.draft.places[port.index as usize];
        draft.is_port = true;
        draft.socket = Some(socket.index);
        self.draft.unions.push((port.index, socket.index));
    }

    /// Makes a place a member of a fusion set; it may be one already.
    pub fn fuse(&mut self, set: &str, place: PlaceId) {
        let first = *self.draft.sets.entry(set.to_owned()).or_insert(place.index);
        self.draft.unions.push((place.index, first));
        let sets = &mut self.draft.places[place.index as usize].sets;
        if !sets.iter().any(|it| it == set) {
            sets.push(set.to_owned());
        }
    }

    /// Watches the tokens in a place.
    pub fn watch(&mut self, place: PlaceId) {
        let path = self.draft.places[place.index as usize].path.clone();
        let places = vec![place];
        let kind = Monitor::Tokens { places };
        self.draft.monitors.push(DraftMonitor { path, kind });
    }

    /// The net, checked. It may have places that are always empty or keep their tokens.
    pub fn finish(self, name: &str) -> Result<Net, NetError> {
        check::flatten_any(name, self.draft)
    }
}
