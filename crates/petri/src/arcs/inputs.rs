//! The coloured tokens that a transition takes: none, one, two or three. Unit tokens are counted elsewhere.
//!
//! A binding is a choice of one offered token for each arc. Loops over bindings are written out for each number of arcs, so
//! that they compile to plain loops over the shelves.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use super::append::Append;
use super::binding::{Arcs, Guard, Indices, Inputs};
use crate::handles::{Place, PlaceId, Unit, Units};
use crate::net::{UnitInputs, Wiring};
use crate::places::{Discipline, Offer, Shelf};
use crate::state::Core;

/// Takes any token that its place offers.
pub struct Take<D>(pub(crate) Place<D>);

/// Takes a token of the key that follows from the tokens before.
pub struct Join<D, K, F> {
    pub(crate) place: Place<D>,
    pub(crate) key: F,
    pub(crate) keys: PhantomData<fn() -> K>,
}

/// An arc from a place, given the tokens that other arcs took before.
pub trait Binds: Send + Sync + 'static {
    /// The place's discipline.
    type D: Offer<Self::Key>;
    /// What it is asked for.
    type Key;
    /// Whether the key is the same for all tokens before.
    const INDEPENDENT: bool;

    /// The place.
    fn place(&self) -> Place<Self::D>;
}

/// How the key follows from the tokens before.
pub trait KeyOf<P>: Binds {
    /// The key to ask for.
    fn key(&self, before: P) -> Self::Key;
}

impl<D: Offer<()>> Binds for Take<D> {
    type D = D;
    type Key = ();
    const INDEPENDENT: bool = true;

    fn place(&self) -> Place<D> {
        self.0
    }
}

impl<D: Offer<()>, P> KeyOf<P> for Take<D> {
    #[inline]
    fn key(&self, _: P) {}
}

impl<D, K, F> Binds for Join<D, K, F>
where
    D: Offer<K>,
    K: 'static,
    F: Send + Sync + 'static,
{
    type D = D;
    type Key = K;
    const INDEPENDENT: bool = false;

    fn place(&self) -> Place<D> {
        self.place
    }
}

impl<D, K, F, P> KeyOf<P> for Join<D, K, F>
where
    D: Offer<K>,
    K: 'static,
    F: Fn(P) -> K + Send + Sync + 'static,
{
    #[inline]
    fn key(&self, before: P) -> K {
        (self.key)(before)
    }
}

/// A shelf of a run and the number of its place.
type WiredShelf<D> = (Rc<RefCell<Shelf<D>>>, u32);

#[inline]
fn take_from<K, D: Offer<K>>(
    shelf: &WiredShelf<D>,
    key: &K,
    index: u32,
    core: &mut Core,
) -> D::Token {
    core.removed(shelf.1, 1);
    shelf.0.borrow_mut().ready.take(key, index)
}

impl Arcs for () {
    type Shelves = ();

    fn wire(&self, _: &Wiring<'_>) {}

    fn places(&self) -> Vec<PlaceId> {
        Vec::new()
    }

    fn unindexed(&self) -> usize {
        0
    }
}

macro_rules! arcs {
    ($(($($arc:ident $index:tt),+)),+) => { $(
        impl<$($arc: Binds),+> Arcs for ($($arc,)+) {
            type Shelves = ($(WiredShelf<$arc::D>,)+);

            fn wire(&self, wiring: &Wiring<'_>) -> Self::Shelves {
                ($(wiring.shelf(self.$index.place()),)+)
            }

            fn places(&self) -> Vec<PlaceId> {
                vec![$(self.$index.place().id),+]
            }

            fn unindexed(&self) -> usize {
                let arcs = [$($arc::INDEPENDENT && $arc::D::OFFERS_MANY),+];
                arcs.into_iter().filter(|&offers_many| offers_many).count()
            }
        }
    )+ };
}

arcs!((A 0), (A 0, B 1), (A 0, B 1, C 2));

impl Inputs for () {
    type Refs<'a> = ();
    type Tokens = ();

    #[inline]
    fn grid(&self, (): &()) -> Option<[u64; 2]> {
        Some([1, 1])
    }

    #[inline]
    fn scan<G: Guard<Self>>(&self, (): &(), guard: &G, mut stop: impl FnMut(Indices) -> bool) {
        if guard.holds(()) {
            stop([0; 3]);
        }
    }

    fn take(&self, (): &(), _: Indices, _: &mut Core) {}
}

impl<D: Offer<()>> Inputs for (Take<D>,) {
    type Refs<'a> = &'a D::Token;
    type Tokens = D::Token;

    #[inline]
    fn grid(&self, on: &Self::Shelves) -> Option<[u64; 2]> {
        Some([u64::from(on.0.0.borrow().ready.count(&())), 1])
    }

    #[inline]
    fn scan<G: Guard<Self>>(
        &self,
        on: &Self::Shelves,
        guard: &G,
        mut stop: impl FnMut(Indices) -> bool,
    ) {
        let shelf = on.0.0.borrow();
        for i in 0..shelf.ready.count(&()) {
            if guard.holds(shelf.ready.get(&(), i)) && stop([i, 0, 0]) {
                return;
            }
        }
    }

    #[inline]
    fn take(&self, on: &Self::Shelves, chosen: Indices, core: &mut Core) -> D::Token {
        take_from(&on.0, &(), chosen[0], core)
    }
}

impl<D, B> Inputs for (Take<D>, B)
where
    D: Offer<()>,
    B: for<'a> KeyOf<&'a D::Token>,
{
    type Refs<'a> = (&'a D::Token, &'a <B::D as Discipline>::Token);
    type Tokens = (D::Token, <B::D as Discipline>::Token);

    /// Where no key tells tokens of the first place apart, all have the same bindings.
    #[inline]
    fn grid(&self, on: &Self::Shelves) -> Option<[u64; 2]> {
        if !B::INDEPENDENT {
            return None;
        }
        let first = on.0.0.borrow();
        let rows = first.ready.count(&());
        if rows == 0 {
            return Some([0, 0]);
        }
        let key = self.1.key(first.ready.get(&(), 0));
        let row = on.1.0.borrow().ready.count(&key);
        Some([u64::from(rows), u64::from(row)])
    }

    #[inline]
    fn scan<G: Guard<Self>>(
        &self,
        on: &Self::Shelves,
        guard: &G,
        mut stop: impl FnMut(Indices) -> bool,
    ) {
        let (first, second) = (on.0.0.borrow(), on.1.0.borrow());
        for i in 0..first.ready.count(&()) {
            let a = first.ready.get(&(), i);
            let key = self.1.key(a);
            for j in 0..second.ready.count(&key) {
                if guard.holds((a, second.ready.get(&key, j))) && stop([i, j, 0]) {
                    return;
                }
            }
        }
    }

    #[inline]
    fn take(&self, on: &Self::Shelves, chosen: Indices, core: &mut Core) -> Self::Tokens {
        let a = take_from(&on.0, &(), chosen[0], core);
        let key = self.1.key(&a);
        let b = take_from(&on.1, &key, chosen[1], core);
        (a, b)
    }
}

impl<D, B, C> Inputs for (Take<D>, B, C)
where
    D: Offer<()>,
    B: for<'a> KeyOf<&'a D::Token>,
    C: for<'a> KeyOf<(&'a D::Token, &'a <B::D as Discipline>::Token)>,
{
    type Refs<'a> = (
        &'a D::Token,
        &'a <B::D as Discipline>::Token,
        &'a <C::D as Discipline>::Token,
    );
    type Tokens = (
        D::Token,
        <B::D as Discipline>::Token,
        <C::D as Discipline>::Token,
    );

    #[inline]
    fn grid(&self, _: &Self::Shelves) -> Option<[u64; 2]> {
        None
    }

    #[inline]
    fn scan<G: Guard<Self>>(
        &self,
        on: &Self::Shelves,
        guard: &G,
        mut stop: impl FnMut(Indices) -> bool,
    ) {
        let (first, second, third) = (on.0.0.borrow(), on.1.0.borrow(), on.2.0.borrow());
        for i in 0..first.ready.count(&()) {
            let a = first.ready.get(&(), i);
            let key_b = self.1.key(a);
            for j in 0..second.ready.count(&key_b) {
                let b = second.ready.get(&key_b, j);
                let key_c = self.2.key((a, b));
                for k in 0..third.ready.count(&key_c) {
                    let c = third.ready.get(&key_c, k);
                    if guard.holds((a, b, c)) && stop([i, j, k]) {
                        return;
                    }
                }
            }
        }
    }

    fn take(&self, on: &Self::Shelves, chosen: Indices, core: &mut Core) -> Self::Tokens {
        let a = take_from(&on.0, &(), chosen[0], core);
        let key = self.1.key(&a);
        let b = take_from(&on.1, &key, chosen[1], core);
        let key = self.2.key((&a, &b));
        let c = take_from(&on.2, &key, chosen[2], core);
        (a, b, c)
    }
}

/// Where a transition takes from: a place, a unit place, or so many tokens of a unit place.
pub trait Source<I> {
    /// The inputs with this one.
    type Next;

    #[doc(hidden)]
    fn attach(self, inputs: I, needs: &mut UnitInputs) -> Self::Next;
}

impl<I> Source<I> for &Unit {
    type Next = I;

    fn attach(self, inputs: I, needs: &mut UnitInputs) -> I {
        self.times(1).attach(inputs, needs)
    }
}

impl<I> Source<I> for Units {
    type Next = I;

    fn attach(self, inputs: I, needs: &mut UnitInputs) -> I {
        needs.push((self.place, self.count));
        inputs
    }
}

impl<I: Append<Take<D>>, D: Offer<()>> Source<I> for &Place<D> {
    type Next = I::With;

    fn attach(self, inputs: I, _: &mut UnitInputs) -> Self::Next {
        inputs.with(Take(*self))
    }
}
