//! What is known of a net while it is drawn.

use std::any::{TypeId, type_name};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hashbrown::{HashMap, HashSet};

use super::{PlaceId, TransitionId, Units};
use crate::arcs::MakeBody;
use crate::colour::{Colour, ColourSet};
use crate::delay::Delay;
use crate::error::NetError;
use crate::expression::ExprText;
use crate::places::{AnyShelf, Discipline, Shelf};

/// Unit tokens that a transition takes: place and how many.
pub type Needs = Vec<(PlaceId, u32)>;
/// Unit tokens that a transition gives.
pub type Gives = Vec<Units>;

/// A shelf as the run wants it and as bodies want it: two pointers to one thing.
pub(crate) type NewShelf = (Rc<dyn AnyShelf>, Rc<dyn std::any::Any>);

/// Makes the shelf of a place of coloured tokens for each run.
pub(crate) type MakeShelf = Arc<dyn Fn() -> NewShelf + Send + Sync>;

/// What a place holds.
#[derive(Clone)]
pub(crate) struct Holding {
    pub kind: TypeId,
    /// The type of the tokens.
    pub name: &'static str,
    /// The order in which tokens are offered; nothing for unit places.
    pub order: Option<&'static str>,
    pub keeps: bool,
    pub initial: u32,
    /// Nothing for unit places.
    pub shelf: Option<MakeShelf>,
    /// The colour set of the tokens; nothing where other tools know none like it.
    pub set: Option<ColourSet>,
    /// Writes the initial tokens of a place of coloured tokens for other tools.
    pub constants: Option<Arc<dyn Fn() -> Vec<String> + Send + Sync>>,
}

impl Holding {
    pub fn units(initial: u32) -> Holding {
        Holding {
            kind: TypeId::of::<super::Unit>(),
            name: "unit tokens",
            order: None,
            keeps: true,
            initial,
            shelf: None,
            set: Some(ColourSet::Unit),
            constants: None,
        }
    }

    pub fn coloured<D: Discipline>(tokens: Vec<D::Token>) -> Holding {
        let tokens = Arc::new(tokens);
        let written = Arc::clone(&tokens);
        Holding {
            kind: TypeId::of::<D>(),
            name: type_name::<D::Token>(),
            order: Some(D::NAME),
            keeps: D::KEEPS,
            initial: tokens.len() as u32,
            shelf: Some(Arc::new(move || {
                let shelf = Rc::new(RefCell::new(Shelf::<D>::with(&tokens)));
                (
                    Rc::clone(&shelf) as Rc<dyn AnyShelf>,
                    shelf as Rc<dyn std::any::Any>,
                )
            })),
            set: D::Token::set(),
            constants: Some(Arc::new(move || {
                written.iter().map(Colour::constant).collect()
            })),
        }
    }
}

pub(crate) struct DraftPlace {
    pub path: String,
    pub is_port: bool,
    pub holding: Holding,
    /// The place of the page above that a port was connected to.
    pub socket: Option<u32>,
    /// The fusion sets that it is a member of.
    pub sets: Vec<String>,
}

/// Coloured tokens that a transition gives.
#[derive(Clone)]
pub struct Given {
    pub(crate) place: PlaceId,
    pub(crate) after: Delay,
    /// How many tokens, where it is not one.
    pub(crate) quantity: Option<&'static str>,
}

/// How an arc expression, a guard or code was written.
#[derive(Clone, Debug)]
pub(crate) enum Written {
    /// As a closure that nobody can read.
    Closure,
    /// In the language that other tools understand.
    Expression(ExprText),
}

impl Written {
    /// An expression without its parameters.
    pub fn in_words(&self) -> Option<&'static str> {
        let Written::Expression(source) = self else {
            return None;
        };
        let mut parts = source.text.splitn(3, '|');
        parts.nth(2).map(str::trim)
    }
}

/// A transition and its arcs. Those to coloured places stand in its body too.
#[derive(Clone, Default)]
pub(crate) struct DraftTransition {
    pub path: String,
    pub needs: Needs,
    pub gives: Gives,
    pub inhibitors: Vec<(PlaceId, u32)>,
    pub resets: Vec<PlaceId>,
    pub coloured_in: Vec<PlaceId>,
    pub coloured_out: Vec<Given>,
    /// Input arcs that may offer several tokens and are not joined by a key.
    pub unindexed: usize,
    /// The keys of those of `coloured_in` that are joined.
    pub joins: Vec<(usize, Written)>,
    pub guard: Option<Written>,
    pub code: Option<Written>,
    pub may_scan: bool,
    pub delay: Delay,
    pub urgency: u32,
    pub body: Option<Arc<dyn MakeBody>>,
}

pub(crate) struct DraftMonitor {
    pub path: String,
    pub kind: super::Monitor,
}

/// The authored tree, flattened as it is written down: paths keep the hierarchy.
pub struct Draft {
    pub(crate) net: u64,
    pub(crate) names: HashSet<String>,
    /// The paths of pages, each before those on it.
    pub(crate) pages: Vec<String>,
    pub(crate) places: Vec<DraftPlace>,
    /// Pairs of places that are one.
    pub(crate) unions: Vec<(u32, u32)>,
    pub(crate) connected: HashSet<u32>,
    /// The first place of each fusion set.
    pub(crate) sets: HashMap<String, u32>,
    pub(crate) transitions: Vec<DraftTransition>,
    pub(crate) monitors: Vec<DraftMonitor>,
    pub(crate) errors: Vec<NetError>,
}

impl Draft {
    pub(crate) fn new() -> Draft {
        static NETS: AtomicU64 = AtomicU64::new(0);
        Draft {
            net: NETS.fetch_add(1, Ordering::Relaxed),
            names: HashSet::new(),
            pages: Vec::new(),
            places: Vec::new(),
            unions: Vec::new(),
            connected: HashSet::new(),
            sets: HashMap::new(),
            transitions: Vec::new(),
            monitors: Vec::new(),
            errors: Vec::new(),
        }
    }

    /// Takes a name of a page, and gives its path.
    pub(crate) fn name(&mut self, prefix: &str, name: &str) -> String {
        let path = format!("{prefix}{name}");
        if name.is_empty() || name.contains('/') {
            self.errors.push(NetError::BadName { path: path.clone() });
        } else if !self.names.insert(path.clone()) {
            self.errors.push(NetError::NameTaken { path: path.clone() });
        }
        path
    }

    pub(crate) fn place(&mut self, path: String, is_port: bool, holding: Holding) -> PlaceId {
        let index = self.places.len() as u32;
        self.places.push(DraftPlace {
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

    /// Whether a place is one of this net; where it is not, that is an error of `user`.
    pub(crate) fn owns(&mut self, place: PlaceId, user: &str) -> bool {
        let owns = place.net == self.net;
        if !owns {
            self.errors.push(NetError::ForeignPlace {
                path: user.to_owned(),
            });
        }
        owns
    }

    pub(crate) fn transition(&mut self, transition: DraftTransition) -> TransitionId {
        let gives = transition.gives.iter().map(|it| it.place);
        let needs = transition.needs.iter().chain(&transition.inhibitors);
        let places = needs
            .map(|it| it.0)
            .chain(gives)
            .chain(transition.resets.iter().copied())
            .chain(transition.coloured_in.iter().copied())
            .chain(transition.coloured_out.iter().map(|it| it.place));
        let places: Vec<PlaceId> = places.collect();
        // A transition with a foreign arc is left out: the error stands for it.
        let owned = places
            .into_iter()
            .all(|place| self.owns(place, &transition.path));
        let index = self.transitions.len() as u32;
        if owned {
            self.transitions.push(transition);
        }
        TransitionId {
            net: self.net,
            index,
        }
    }
}
