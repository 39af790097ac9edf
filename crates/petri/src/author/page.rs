//! A page: what an author writes on.

use std::cell::RefCell;
use std::rc::Rc;

use super::draft::Draft;
use super::transition::Transition;
use crate::arcs::NoGuard;
use crate::colour::Colour;
use crate::error::Flaw;
use crate::handles::{
    AnyPlace, Object, ObjectId, Place, PlaceId, Samples, Times, TransitionId, Unit,
};
use crate::monitor::Monitor;
use crate::net::{Holding, ObjectSpec};
use crate::places::{Bag, Discipline, Fifo, Keyed, Priority, Sink, Urgency};
use crate::stream::Stream;

/// A page of a net. Names on it are its own; the pages on it are pictures inside the picture.
pub struct Page<'a> {
    draft: &'a mut Draft,
    /// The path of this page, with a slash behind it where there is one.
    prefix: String,
}

impl<'a> Page<'a> {
    pub(crate) fn top(draft: &'a mut Draft) -> Page<'a> {
        Page {
            draft,
            prefix: String::new(),
        }
    }

    /// A page that stands for a transition of this one, as `author` draws it. What `author` returns, ports for example,
    /// is handed on.
    pub fn page<R>(&mut self, name: &str, author: impl FnOnce(&mut Page<'_>) -> R) -> R {
        let path = self.draft.name(&self.prefix, name);
        self.draft.pages.push(path.clone());
        let mut page = Page {
            draft: &mut *self.draft,
            prefix: format!("{path}/"),
        };
        author(&mut page)
    }

    /// A place of uncoloured tokens: a counter.
    pub fn unit(&mut self, name: &str, tokens: u32) -> Unit {
        self.place_of(name, false, Holding::units(tokens))
    }

    /// A place that offers all its tokens.
    pub fn bag<T: Colour>(
        &mut self,
        name: &str,
        tokens: impl IntoIterator<Item = T>,
    ) -> Place<Bag<T>> {
        self.place(name, tokens)
    }

    /// A place that offers the token that was ready first.
    pub fn fifo<T: Colour>(
        &mut self,
        name: &str,
        tokens: impl IntoIterator<Item = T>,
    ) -> Place<Fifo<T>> {
        self.place(name, tokens)
    }

    /// A place that offers its most urgent token.
    pub fn priority<T: Urgency>(
        &mut self,
        name: &str,
        tokens: impl IntoIterator<Item = T>,
    ) -> Place<Priority<T>> {
        self.place(name, tokens)
    }

    /// A place that offers the tokens of a key.
    pub fn keyed<K, T>(
        &mut self,
        name: &str,
        tokens: impl IntoIterator<Item = (K, T)>,
    ) -> Place<Keyed<K, T>>
    where
        K: Colour + std::hash::Hash + Eq,
        T: Colour,
    {
        self.place(name, tokens)
    }

    /// A place by which tokens leave the net.
    pub fn sink<T: Colour>(&mut self, name: &str) -> Place<Sink<T>> {
        self.place(name, [])
    }

    /// A place whose token says that a part of what the net stands for has ended: a program, for example. A marking in which nothing can
    /// fire is no deadlock where all such places have a token (Holzmann, "The SPIN model checker", 2004, on labels of end states).
    pub fn end(&mut self, name: &str) -> Unit {
        let end = self.unit(name, 0);
        self.draft.ends.push(end.id().index);
        end
    }

    /// A place of any discipline.
    pub fn place<D: Discipline>(
        &mut self,
        name: &str,
        tokens: impl IntoIterator<Item = D::Token>,
    ) -> Place<D> {
        let tokens = tokens.into_iter().collect();
        self.place_of(name, false, Holding::coloured::<D>(tokens))
    }

    /// A place of this page that the page above connects to one of its own.
    pub fn port<D: Discipline>(&mut self, name: &str) -> Place<D> {
        self.place_of(name, true, Holding::coloured::<D>(Vec::new()))
    }

    /// A port for uncoloured tokens.
    pub fn unit_port(&mut self, name: &str) -> Unit {
        self.place_of(name, true, Holding::units(0))
    }

    fn place_of<P: AnyPlace>(&mut self, name: &str, is_port: bool, holding: Holding) -> P {
        let path = self.draft.name(&self.prefix, name);
        P::with(self.draft.place(path, is_port, holding))
    }

    /// Makes a port of a page and its socket, a place of this page, one place.
    pub fn connect<P: AnyPlace>(&mut self, port: &P, socket: &P) {
        let (port, socket) = (port.place_id(), socket.place_id());
        let user = self.prefix.clone();
        if !self.draft.owns(port, &user) || !self.draft.owns(socket, &user) {
            return;
        }
        let draft = &self.draft.places[port.index as usize];
        let path = draft.path.clone();
        if !draft.is_port {
            self.draft.errors.push(Flaw::NotAPort.at(path));
        } else if !self.draft.connected.insert(port.index) {
            let twice = Flaw::PortConnectedTwice.at(path);
            self.draft.errors.push(twice);
        } else {
            self.draft.connect(port, socket);
        }
    }

    /// Makes a place one with all other places of the fusion set of this name, on whatever page they are.
    pub fn fuse<P: AnyPlace>(&mut self, set: &str, place: &P) {
        let place = place.place_id();
        let user = format!("{}fusion set `{set}`", self.prefix);
        if !self.draft.owns(place, &user) {
            return;
        }
        let first = self.draft.first_of(set, place);
        let of = |index: u32| &self.draft.places[index as usize];
        let (expected, found) = (of(first), of(place.index));
        if expected.holding.kind == found.holding.kind {
            return self.draft.fuse(set, place, first);
        }
        let mismatch = Flaw::TypeMismatch {
            set: set.to_owned(),
            expected: expected.holding.name,
            found: found.holding.name,
        };
        let mismatch = mismatch.at(&found.path);
        self.draft.errors.push(mismatch);
    }

    /// An object of each run, which transitions borrow: a cache, a stack of storage. It is made when a run begins, with random
    /// numbers of its own, and need be neither `Clone` nor `Send`.
    pub fn object<T: 'static>(
        &mut self,
        name: &str,
        make: impl Fn(&mut Stream) -> T + Send + Sync + 'static,
    ) -> Object<T> {
        let path = self.draft.name(&self.prefix, name);
        let id = ObjectId {
            net: self.draft.net,
            index: self.draft.objects.len() as u32,
        };
        self.draft.objects.push(ObjectSpec {
            path,
            make: Box::new(move |stream| Rc::new(RefCell::new(make(stream)))),
        });
        Object::with(id)
    }

    /// A transition. Nothing comes of it until it is given its code by `fire`, or ends with `done`.
    pub fn transition(&mut self, name: &str) -> Transition<'_, (), (), NoGuard> {
        let path = self.draft.name(&self.prefix, name);
        Transition::new(self.draft, path)
    }

    /// Watches something during runs.
    pub fn monitor(&mut self, name: &str, kind: Monitor) {
        self.add_monitor(name, kind);
    }

    /// Watches the time average of the number of tokens in places, ready or not.
    pub fn watch_tokens(&mut self, name: &str, places: impl IntoIterator<Item = PlaceId>) {
        let places = places.into_iter().collect();
        self.monitor(name, Monitor::Tokens { places });
    }

    /// Watches the share of servers that are busy: tokens in these places, ready or not, are in service.
    pub fn watch_utilisation(
        &mut self,
        name: &str,
        places: impl IntoIterator<Item = PlaceId>,
        servers: u32,
    ) {
        let places = places.into_iter().collect();
        self.monitor(name, Monitor::Utilisation { places, servers });
    }

    /// Watches the share of servers that are busy: their tokens in the place of the idle ones are not ready.
    pub fn watch_busy(&mut self, name: &str, idle: &Unit, servers: u32) {
        let idle = vec![idle.id()];
        self.monitor(name, Monitor::Busy { idle, servers });
    }

    /// Watches how often a transition fires in a second of simulated time.
    pub fn watch_rate(&mut self, name: &str, transition: TransitionId) {
        let transitions = vec![transition];
        self.monitor(name, Monitor::Firings { transitions });
    }

    /// Watches spans of time that the code of transitions records: waiting times, response times.
    pub fn times(&mut self, name: &str) -> Times {
        let monitor = self.add_monitor(name, Monitor::Times);
        Times { monitor }
    }

    /// Watches the mean of other values that the code of transitions records.
    pub fn samples(&mut self, name: &str) -> Samples {
        let monitor = self.add_monitor(name, Monitor::Samples);
        Samples { monitor }
    }

    fn add_monitor(&mut self, name: &str, kind: Monitor) -> u32 {
        let path = format!("{}{name}", self.prefix);
        if self.draft.monitors.iter().any(|other| other.0 == path) {
            self.draft.errors.push(Flaw::NameTaken.at(&path));
        }
        for &place in kind.places() {
            self.draft.owns(place, &path);
        }
        self.draft.monitors.push((path, kind));
        (self.draft.monitors.len() - 1) as u32
    }
}
