//! Drawing a net node by node, where it does not come page by page.

use super::check;
use super::draft::Draft;
use crate::error::NetError;
use crate::handles::PlaceId;
use crate::monitor::Monitor;
use crate::net::{DrawnTransition, Holding, Net};

/// A net that is drawn node by node: by a reader of files, for example.
pub struct Sketch {
    draft: Draft,
}

impl Default for Sketch {
    fn default() -> Sketch {
        Sketch {
            draft: Draft::new(),
        }
    }
}

impl Sketch {
    /// Takes a name of a page, whose path with a slash behind it is the prefix, and gives its path.
    ///
    /// # Errors
    /// A name that is taken, or that a path cannot hold.
    pub fn name(&mut self, prefix: &str, name: &str) -> Result<String, NetError> {
        let path = self.draft.name(prefix, name);
        self.draft.errors.pop().map_or(Ok(path), Err)
    }

    /// A page of this path. It comes before those on it.
    pub fn page(&mut self, path: String) {
        self.draft.pages.push(path);
    }

    /// A transition, with its arcs to places of this sketch.
    pub fn transition(&mut self, transition: DrawnTransition) {
        self.draft.transition(transition);
    }

    /// The path of a place.
    #[must_use]
    pub fn path(&self, place: PlaceId) -> &str {
        &self.draft.places[place.index as usize].path
    }

    /// A unit place of this path.
    pub fn unit(&mut self, path: String, tokens: u32) -> PlaceId {
        self.draft.place(path, false, Holding::units(tokens))
    }

    /// Whether a place is on the page above another's.
    #[must_use]
    pub fn is_above(&self, above: PlaceId, below: PlaceId) -> bool {
        let page = |place: PlaceId| self.path(place).rsplit_once('/').map(|(page, _)| page);
        page(below).is_some_and(|below| {
            let page_above = below.rsplit_once('/').map(|(page, _)| page);
            page(above) == page_above
        })
    }

    /// Makes a place a port, and one with its socket.
    pub fn connect(&mut self, port: PlaceId, socket: PlaceId) {
        self.draft.places[port.index as usize].is_port = true;
        self.draft.connect(port, socket);
    }

    /// Makes a place a member of a fusion set; it may be one already.
    pub fn fuse(&mut self, set: &str, place: PlaceId) {
        let first = self.draft.first_of(set, place);
        let sets = &self.draft.places[place.index as usize].sets;
        if !sets.iter().any(|it| it == set) {
            self.draft.fuse(set, place, first);
        }
    }

    /// Watches the tokens in a place.
    pub fn watch(&mut self, place: PlaceId) {
        let path = self.path(place).to_owned();
        let places = vec![place];
        let kind = Monitor::Tokens { places };
        self.draft.monitors.push((path, kind));
    }

    /// The net, checked. It may have places that are always empty or keep their tokens. A transition that takes nothing fires at once, and again
    /// each time its delay is over.
    ///
    /// # Errors
    /// The first thing that cannot be meant, with its path.
    pub fn finish(self, name: &str) -> Result<Net, NetError> {
        check::flatten_any(name, self.draft)
    }
}
