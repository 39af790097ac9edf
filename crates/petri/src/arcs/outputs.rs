//! The coloured tokens that a transition gives.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use super::append::Append;
use crate::delay::Delay;
use crate::handles::{Place, Unit, Units};
use crate::net::{OutputArc, UnitOutputs, Wiring};
use crate::places::{Discipline, Shelf};
use crate::state::Firing;
use crate::time::Time;

/// How many tokens an arc gives at a firing.
pub trait Quantity: Send + Sync + 'static {
    /// What the code of the transition returns for this arc.
    type Of<T>;
    /// How many, in a word; nothing for one.
    const NAME: Option<&'static str>;

    /// Whether each token has a delay of its own.
    const TIMED: bool = false;

    /// Goes through the tokens, each with its own delay in nanoseconds.
    fn each<T>(value: Self::Of<T>, give: impl FnMut(T, u64));
}

/// One token.
pub struct Once;
/// A token or none.
pub struct Maybe;
/// Any number of tokens.
pub struct Many;

impl Quantity for Once {
    type Of<T> = T;
    const NAME: Option<&'static str> = None;

    #[inline]
    fn each<T>(token: T, mut give: impl FnMut(T, u64)) {
        give(token, 0);
    }
}

impl Quantity for Maybe {
    type Of<T> = Option<T>;
    const NAME: Option<&'static str> = Some("maybe");

    #[inline]
    fn each<T>(token: Option<T>, mut give: impl FnMut(T, u64)) {
        token.into_iter().for_each(|token| give(token, 0));
    }
}

impl Quantity for Many {
    type Of<T> = Vec<T>;
    const NAME: Option<&'static str> = Some("many");

    #[inline]
    fn each<T>(tokens: Vec<T>, mut give: impl FnMut(T, u64)) {
        tokens.into_iter().for_each(|token| give(token, 0));
    }
}

/// So many tokens, each with a delay of its own.
pub struct Timed<Q>(PhantomData<fn() -> Q>);

impl<Q: Quantity> Quantity for Timed<Q> {
    type Of<T> = Q::Of<(Time, T)>;
    const NAME: Option<&'static str> = Q::NAME;
    const TIMED: bool = true;

    #[inline]
    fn each<T>(value: Self::Of<T>, mut give: impl FnMut(T, u64)) {
        Q::each(value, |(after, token), _| give(token, after.nanos()));
    }
}

/// An arc to a place of coloured tokens.
pub struct Out<D, Q = Once> {
    place: Place<D>,
    after: Delay,
    quantity: PhantomData<fn() -> Q>,
}

impl<D, Q> Out<D, Q> {
    fn to(place: Place<D>, after: Delay) -> Out<D, Q> {
        Out {
            place,
            after,
            quantity: PhantomData,
        }
    }

    /// The tokens are ready this long after those of the transition's other arcs.
    #[must_use]
    pub fn after(self, delay: Delay) -> Out<D, Q> {
        Out::to(self.place, delay)
    }

    /// Each token has a delay of its own, which comes to the others: for a token, the code returns a pair of [`Time`] and token.
    #[must_use]
    pub fn timed(self) -> Out<D, Timed<Q>> {
        Out::to(self.place, self.after)
    }
}

impl<D> Place<D> {
    /// An arc that gives a token or none: the code returns an `Option`.
    #[must_use]
    pub fn maybe(&self) -> Out<D, Maybe> {
        Out::to(*self, Delay::NONE)
    }

    /// An arc that gives any number of tokens: the code returns a `Vec`.
    #[must_use]
    pub fn many(&self) -> Out<D, Many> {
        Out::to(*self, Delay::NONE)
    }

    /// An arc whose token has a delay of its own: the code returns a pair of [`Time`] and token.
    #[must_use]
    pub fn timed(&self) -> Out<D, Timed<Once>> {
        Out::to(*self, Delay::NONE)
    }

    /// An arc whose token is ready this long after those of the transition's other arcs.
    #[must_use]
    pub fn after(&self, delay: Delay) -> Out<D> {
        Out::to(*self, delay)
    }
}

/// An arc to a place of coloured tokens.
pub trait OutArc: Send + Sync + 'static {
    /// What the code of the transition returns for it.
    type Value;
    #[doc(hidden)]
    type Shelf: 'static;

    #[doc(hidden)]
    fn wire(&self, wiring: &Wiring<'_>) -> Self::Shelf;
    #[doc(hidden)]
    fn put(&self, on: &Self::Shelf, value: Self::Value, firing: &mut Firing<'_>);
    #[doc(hidden)]
    fn targets(&self) -> Vec<OutputArc>;
}

impl<D: Discipline, Q: Quantity> OutArc for Out<D, Q> {
    type Value = Q::Of<D::Token>;
    type Shelf = (Rc<RefCell<Shelf<D>>>, u32);

    fn wire(&self, wiring: &Wiring<'_>) -> Self::Shelf {
        wiring.shelf(self.place)
    }

    #[inline]
    fn put(&self, on: &Self::Shelf, value: Self::Value, firing: &mut Firing<'_>) {
        let after = firing.delay_of(&self.after);
        let shelf = &mut *on.0.borrow_mut();
        let ignores_own = Q::TIMED && firing.core().is_untimed;
        Q::each(value, |token, own| {
            let after = match ignores_own {
                true => after,
                false => after.saturating_add(own),
            };
            firing.core().give(shelf, on.1, token, after);
        });
    }

    fn targets(&self) -> Vec<OutputArc> {
        vec![OutputArc {
            place: self.place.id,
            after: self.after.clone(),
            quantity: Q::NAME,
            is_timed: Q::TIMED,
        }]
    }
}

/// The coloured tokens that a transition gives, at most four arcs.
pub trait Outputs: Send + Sync + 'static {
    /// What the code of the transition returns.
    type Tokens;
    #[doc(hidden)]
    type Shelves: 'static;

    #[doc(hidden)]
    fn wire(&self, wiring: &Wiring<'_>) -> Self::Shelves;
    #[doc(hidden)]
    fn put(&self, on: &Self::Shelves, tokens: Self::Tokens, firing: &mut Firing<'_>);
    #[doc(hidden)]
    fn targets(&self) -> Vec<OutputArc>;
}

impl Outputs for () {
    type Tokens = ();
    type Shelves = ();

    fn wire(&self, _: &Wiring<'_>) {}

    #[inline]
    fn put(&self, (): &(), (): (), _: &mut Firing<'_>) {}

    fn targets(&self) -> Vec<OutputArc> {
        Vec::new()
    }
}

impl<A: OutArc> Outputs for (A,) {
    type Tokens = A::Value;
    type Shelves = A::Shelf;

    fn wire(&self, wiring: &Wiring<'_>) -> A::Shelf {
        self.0.wire(wiring)
    }

    #[inline]
    fn put(&self, on: &A::Shelf, token: A::Value, firing: &mut Firing<'_>) {
        self.0.put(on, token, firing);
    }

    fn targets(&self) -> Vec<OutputArc> {
        self.0.targets()
    }
}

macro_rules! several {
    ($($arc:ident $index:tt),+) => {
        impl<$($arc: OutArc),+> Outputs for ($($arc,)+) {
            type Tokens = ($($arc::Value,)+);
            type Shelves = ($($arc::Shelf,)+);

            fn wire(&self, wiring: &Wiring<'_>) -> Self::Shelves {
                ($(self.$index.wire(wiring),)+)
            }

            #[inline]
            fn put(&self, on: &Self::Shelves, tokens: Self::Tokens, firing: &mut Firing<'_>) {
                $(self.$index.put(&on.$index, tokens.$index, firing);)+
            }

            fn targets(&self) -> Vec<OutputArc> {
                [$(self.$index.targets()),+].concat()
            }
        }
    };
}

several!(A 0, B 1);
several!(A 0, B 1, C 2);
several!(A 0, B 1, C 2, D 3);

/// Where a transition puts tokens: a place, an arc of it, a unit place, or so many tokens of a unit place.
pub trait Target<O> {
    /// The outputs with this one.
    type Next;

    #[doc(hidden)]
    fn attach(self, outputs: O, gives: &mut UnitOutputs) -> Self::Next;
}

impl<O> Target<O> for &Unit {
    type Next = O;

    fn attach(self, outputs: O, gives: &mut UnitOutputs) -> O {
        self.times(1).attach(outputs, gives)
    }
}

impl<O> Target<O> for Units {
    type Next = O;

    fn attach(self, outputs: O, gives: &mut UnitOutputs) -> O {
        gives.push(self);
        outputs
    }
}

impl<O: Append<Self>, X, Q> Target<O> for Out<X, Q> {
    type Next = O::With;

    fn attach(self, outputs: O, _: &mut UnitOutputs) -> Self::Next {
        outputs.with(self)
    }
}

impl<O: Append<Out<X>>, X> Target<O> for &Place<X> {
    type Next = O::With;

    fn attach(self, outputs: O, _: &mut UnitOutputs) -> Self::Next {
        outputs.with(self.after(Delay::NONE))
    }
}
