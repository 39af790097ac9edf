//! Where tokens wait: a file for each order in which a place offers them.

mod bag;
mod fifo;
mod held;
mod keyed;
mod priority;
mod sink;

use std::any::Any;
use std::cell::RefCell;
use std::fmt::Debug;

use crate::colour::Colour;

pub use bag::Bag;
pub use fifo::Fifo;
pub(crate) use held::HeldTokens;
pub use keyed::Keyed;
pub use priority::{Priority, Urgency};
pub use sink::Sink;

/// In which order a place offers its tokens.
pub trait Discipline: Default + 'static {
    /// The type of its tokens.
    type Token: Colour;
    /// What drawings call the order.
    const NAME: &'static str;
    /// Whether tokens stay until they are taken.
    const KEEPS: bool = true;
    /// Whether it may offer several tokens at once.
    const OFFERS_MANY: bool = true;

    /// A token is ready.
    fn add(&mut self, token: Self::Token);
    /// Takes all tokens out.
    fn clear(&mut self);
    /// The tokens: in the order in which they are offered where that is one at a time, otherwise in no particular order.
    fn tokens(&self) -> Vec<&Self::Token>;
}

/// A place that offers tokens to transitions that name a key: `()` where any token will do.
pub trait Offer<K>: Discipline {
    /// How many tokens are offered.
    fn count(&self, key: &K) -> u32;
    /// The one at an index below the count.
    fn get(&self, key: &K, index: u32) -> &Self::Token;
    /// Takes the one at an index below the count.
    fn take(&mut self, key: &K, index: u32) -> Self::Token;
}

/// The tokens of a place in a run: those that are ready, and those whose time has not come.
pub struct Shelf<D: Discipline> {
    pub(crate) ready: D,
    pub(crate) held: HeldTokens<D::Token>,
}

impl<D: Discipline> Shelf<D> {
    pub fn with(tokens: &[D::Token]) -> Shelf<D> {
        let mut ready = D::default();
        tokens.iter().cloned().for_each(|token| ready.add(token));
        Shelf {
            ready,
            held: HeldTokens::default(),
        }
    }
}

/// Is shown a token, and how to get a copy of it.
pub(crate) type Visit<'a> = dyn FnMut(&dyn Debug, &dyn Fn() -> Box<dyn Any>) + 'a;

/// A shelf of tokens of any type.
pub(crate) trait AnyShelf {
    /// The time of a held token has come.
    fn ripen(&self, slot: u32);
    /// The time of a held token will come soon.
    fn warm(&self, slot: u32);
    /// Takes all tokens out, and says whether any was held.
    fn clear(&self) -> bool;
    /// The tokens that are ready, as text.
    fn ready(&self) -> Vec<String>;
    /// A held token, as text.
    fn held(&self, slot: u32) -> String;
    /// Whether it may offer several tokens at once.
    fn offers_many(&self) -> bool;
    /// Adds a ready token of its type.
    fn add(&self, token: &dyn Any);
    /// Goes through the tokens that are ready, in the order of [`Discipline::tokens`].
    fn each_ready(&self, visit: &mut Visit<'_>);
}

impl<D: Discipline> AnyShelf for RefCell<Shelf<D>> {
    fn ripen(&self, slot: u32) {
        let shelf = &mut *self.borrow_mut();
        shelf.ready.add(shelf.held.release(slot));
    }

    fn warm(&self, slot: u32) {
        self.borrow().held.warm(slot);
    }

    fn clear(&self) -> bool {
        let shelf = &mut *self.borrow_mut();
        shelf.ready.clear();
        shelf.held.clear()
    }

    fn ready(&self) -> Vec<String> {
        let shelf = self.borrow();
        let tokens = shelf.ready.tokens().into_iter();
        tokens.map(|token| format!("{token:?}")).collect()
    }

    fn held(&self, slot: u32) -> String {
        let shelf = self.borrow();
        let token = shelf.held.get(slot);
        token.map_or_else(String::new, |token| format!("{token:?}"))
    }

    fn offers_many(&self) -> bool {
        D::OFFERS_MANY
    }

    fn add(&self, token: &dyn Any) {
        let token = token.downcast_ref::<D::Token>();
        let token = token.expect("a token goes back to the place that it was read from");
        self.borrow_mut().ready.add(token.clone());
    }

    fn each_ready(&self, visit: &mut Visit<'_>) {
        for token in self.borrow().ready.tokens() {
            visit(token, &|| Box::new(token.clone()));
        }
    }
}
