//! A net as it was drawn: places and transitions with their arcs, on pages that their paths tell.

use std::any::{Any, TypeId, type_name};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::body::MakeBody;
use crate::colour::{Colour, ColourSet, Constant};
use crate::delay::Delay;
use crate::expression::ExprText;
use crate::handles::{ObjectId, PlaceId, Unit, Units};
use crate::places::{AnyShelf, Discipline, Shelf};

/// Unit tokens that a transition takes: place and how many.
pub type UnitInputs = Vec<(PlaceId, u32)>;
/// Unit tokens that a transition gives.
pub type UnitOutputs = Vec<Units>;

/// A shelf as the run wants it and as bodies want it: two pointers to one thing.
pub(crate) type NewShelf = (Rc<dyn AnyShelf>, Rc<dyn Any>);

/// Makes the shelf of a place of coloured tokens for each run.
pub(crate) type MakeShelf = Arc<dyn Fn() -> NewShelf + Send + Sync>;

/// What a place holds.
#[derive(Clone)]
pub struct Holding {
    pub(crate) kind: TypeId,
    /// The type of the tokens.
    pub name: &'static str,
    /// The order in which tokens are offered; nothing for unit places.
    pub order: Option<&'static str>,
    pub(crate) keeps: bool,
    /// How many tokens there are at the beginning.
    pub initial: u32,
    /// Nothing for unit places.
    pub(crate) shelf: Option<MakeShelf>,
    /// The colour set of the tokens; nothing where other tools know none like it.
    pub set: Option<ColourSet>,
    /// The initial tokens of a place of coloured tokens for other tools.
    constants: Option<Arc<dyn Fn() -> Vec<Constant> + Send + Sync>>,
}

impl Holding {
    /// The initial tokens as text; nothing for unit places.
    #[must_use]
    pub fn tokens(&self) -> Option<Vec<String>> {
        self.shelf.as_ref().map(|make| make().0.ready())
    }

    /// The initial tokens as values that other tools know; nothing for unit places.
    #[must_use]
    pub fn constants(&self) -> Vec<Constant> {
        self.constants.as_ref().map(|it| it()).unwrap_or_default()
    }

    pub(crate) fn units(initial: u32) -> Holding {
        Holding {
            kind: TypeId::of::<Unit>(),
            name: "unit tokens",
            order: None,
            keeps: true,
            initial,
            shelf: None,
            set: Some(ColourSet::Unit),
            constants: None,
        }
    }

    pub(crate) fn coloured<D: Discipline>(tokens: Vec<D::Token>) -> Holding {
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
                (Rc::clone(&shelf) as Rc<dyn AnyShelf>, shelf as Rc<dyn Any>)
            })),
            set: D::Token::set(),
            constants: Some(Arc::new(move || {
                written.iter().map(Colour::constant).collect()
            })),
        }
    }
}

/// A place as it was drawn.
pub struct DrawnPlace {
    /// Its path.
    pub path: String,
    /// Whether the page above connects it.
    pub is_port: bool,
    /// What it holds.
    pub holding: Holding,
    /// The place of the page above that a port was connected to.
    pub socket: Option<u32>,
    /// The fusion sets that it is a member of.
    pub sets: Vec<String>,
}

/// An arc by which a transition gives coloured tokens.
#[derive(Clone)]
pub struct OutputArc {
    /// The place.
    pub place: PlaceId,
    /// How much later than those of other arcs they are ready.
    pub after: Delay,
    /// How many tokens, where it is not one.
    pub quantity: Option<&'static str>,
    /// Whether each token has a delay of its own, which the code tells.
    pub is_timed: bool,
}

impl OutputArc {
    /// The quantity of arcs of which a token goes by one.
    pub const ONE_OF: &'static str = "one of several";
}

/// How an arc expression, a guard or code is worded.
#[derive(Clone, Debug)]
pub enum Wording {
    /// As a closure that nobody can read.
    Closure,
    /// In the language that other tools understand.
    Expression(ExprText),
}

impl Wording {
    /// An expression without its parameters.
    #[must_use]
    pub fn in_words(&self) -> Option<&'static str> {
        let Wording::Expression(source) = self else {
            return None;
        };
        let mut parts = source.text.splitn(3, '|');
        parts.nth(2).map(str::trim)
    }
}

/// A transition and its arcs as it was drawn. Those to coloured places stand in its body too.
#[derive(Clone, Default)]
pub struct DrawnTransition {
    /// Its path.
    pub path: String,
    /// Unit tokens that it takes.
    pub needs: UnitInputs,
    /// Unit tokens that it gives.
    pub gives: UnitOutputs,
    /// Places that must hold fewer tokens than this.
    pub inhibitors: Vec<(PlaceId, u32)>,
    /// Places that it empties.
    pub resets: Vec<PlaceId>,
    /// Places that it takes a coloured token of.
    pub coloured_in: Vec<PlaceId>,
    /// Arcs by which it gives coloured tokens.
    pub coloured_out: Vec<OutputArc>,
    /// Input arcs that may offer several tokens and are not joined by a key.
    pub(crate) unindexed: usize,
    /// The keys of those of `coloured_in` that are joined.
    pub joins: Vec<(usize, Wording)>,
    /// The objects of the run that it borrows.
    pub(crate) objects: Vec<ObjectId>,
    /// Its guard, where it has one.
    pub guard: Option<Wording>,
    /// Its code, where it has any.
    pub code: Option<Wording>,
    pub(crate) may_scan: bool,
    /// How much later all that it gives is ready.
    pub delay: Delay,
    /// How urgent it is: the number of [`Urgent`].
    pub urgency: u32,
    pub(crate) body: Option<Arc<dyn MakeBody>>,
}

impl DrawnTransition {
    /// A transition without arcs, as urgent as most.
    #[must_use]
    pub fn new(path: String) -> DrawnTransition {
        DrawnTransition {
            path,
            urgency: Urgent::NORMAL.0,
            ..DrawnTransition::default()
        }
    }

    /// Whether it is enabled whatever the places hold.
    #[must_use]
    pub fn takes_nothing(&self) -> bool {
        self.needs.is_empty() && self.coloured_in.is_empty() && self.inhibitors.is_empty()
    }

    /// Whether it takes or gives coloured tokens, or has a guard or code.
    #[must_use]
    pub fn has_body(&self) -> bool {
        self.body.is_some()
    }
}

/// A net as it was drawn, with pages, ports and fusion sets: what pictures and exports show.
pub struct Drawing {
    /// The paths of pages, each before those on it.
    pub pages: Vec<String>,
    /// Its places.
    pub places: Vec<DrawnPlace>,
    /// Its transitions.
    pub transitions: Vec<DrawnTransition>,
    /// The paths of its objects.
    pub objects: Vec<String>,
}

impl Drawing {
    /// The paths of the objects that a transition borrows.
    pub fn borrowed<'a>(&'a self, by: &'a DrawnTransition) -> impl Iterator<Item = &'a str> {
        let objects = by.objects.iter();
        objects.map(|it| self.objects[it.index as usize].as_str())
    }
}

/// How urgent a transition is among those that are enabled at one moment; the numbers are CPN Tools'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Urgent(
    /// The least fires first.
    pub u32,
);

impl Urgent {
    /// Before others.
    pub const HIGH: Urgent = Urgent(100);
    /// As most.
    pub const NORMAL: Urgent = Urgent(1000);
    /// When no other can.
    pub const LOW: Urgent = Urgent(10_000);
}
