//! The coloured tokens that a transition takes: none, one, two or three. Unit tokens are counted elsewhere.
//!
//! A binding is a choice of one offered token for each arc. Loops over bindings are written out for each number of arcs, so
//! that they compile to plain loops over the shelves.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::rc::Rc;

use super::binding::{Guard, Indices, Inputs};
use crate::handles::{Place, PlaceId, Unit, Units};
use crate::net::{UnitInputs, Wiring};
use crate::places::{Discipline, Offer, Shelf};
use crate::state::Core;

type Handle<D> = Rc<RefCell<Shelf<D>>>;

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

fn offers_many<B: Binds>() -> usize {
    usize::from(B::INDEPENDENT && B::D::OFFERS_MANY)
}

/// A shelf of a run and the number of its place.
type WiredShelf<D> = (Handle<D>, u32);

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

/// Counts bindings up to a limit.
struct Count {
    limit: u64,
    seen: u64,
    first: Indices,
}

impl Count {
    fn up_to(limit: u64) -> Count {
        Count {
            limit,
            seen: 0,
            first: [0; 3],
        }
    }

    /// One more; whether that is enough.
    #[inline]
    fn add(&mut self, chosen: Indices) -> bool {
        if self.seen == 0 {
            self.first = chosen;
        }
        self.seen += 1;
        self.seen >= self.limit
    }

    fn result(self) -> (u64, Indices) {
        (self.seen, self.first)
    }
}

/// Waits for the binding of a number.
struct Nth {
    left: u64,
    found: Indices,
}

impl Nth {
    fn after(left: u64) -> Nth {
        Nth {
            left,
            found: [0; 3],
        }
    }

    #[inline]
    fn add(&mut self, chosen: Indices) -> bool {
        self.found = chosen;
        let is_it = self.left == 0;
        self.left = self.left.wrapping_sub(1);
        is_it
    }
}

impl Inputs for () {
    type Refs<'a> = ();
    type Tokens = ();
    type Shelves = ();

    fn wire(&self, _: &Wiring<'_>) {}

    fn places(&self) -> Vec<PlaceId> {
        Vec::new()
    }

    fn unindexed(&self) -> usize {
        0
    }

    fn count<G: Guard<Self>>(&self, (): &(), guard: &G, _: u64) -> (u64, Indices) {
        (u64::from(guard.holds(())), [0; 3])
    }

    fn nth<G: Guard<Self>>(&self, (): &(), _: &G, _: u64) -> Indices {
        [0; 3]
    }

    fn take(&self, (): &(), _: Indices, _: &mut Core) {}
}

/// One arc.
pub struct One<D>(pub(crate) Place<D>);

impl<D: Offer<()>> One<D> {
    /// Bindings in order, until `stop` says so.
    #[inline]
    fn scan<G: Guard<Self>>(on: &WiredShelf<D>, guard: &G, mut stop: impl FnMut(Indices) -> bool) {
        let shelf = on.0.borrow();
        for i in 0..shelf.ready.count(&()) {
            if guard.holds(shelf.ready.get(&(), i)) && stop([i, 0, 0]) {
                return;
            }
        }
    }
}

impl<D: Offer<()>> Inputs for One<D> {
    type Refs<'a> = &'a D::Token;
    type Tokens = D::Token;
    type Shelves = WiredShelf<D>;

    fn wire(&self, wiring: &Wiring<'_>) -> Self::Shelves {
        wiring.shelf(self.0)
    }

    fn places(&self) -> Vec<PlaceId> {
        vec![self.0.id]
    }

    fn unindexed(&self) -> usize {
        usize::from(D::OFFERS_MANY)
    }

    #[inline]
    fn count<G: Guard<Self>>(&self, on: &Self::Shelves, guard: &G, limit: u64) -> (u64, Indices) {
        if G::ALWAYS {
            let count = on.0.borrow().ready.count(&());
            return (u64::from(count).min(limit), [0; 3]);
        }
        let mut count = Count::up_to(limit);
        Self::scan(on, guard, |chosen| count.add(chosen));
        count.result()
    }

    fn nth<G: Guard<Self>>(&self, on: &Self::Shelves, guard: &G, nth: u64) -> Indices {
        if G::ALWAYS {
            return [nth as u32, 0, 0];
        }
        let mut nth = Nth::after(nth);
        Self::scan(on, guard, |chosen| nth.add(chosen));
        nth.found
    }

    #[inline]
    fn take(&self, on: &Self::Shelves, chosen: Indices, core: &mut Core) -> D::Token {
        take_from(on, &(), chosen[0], core)
    }
}

/// Two arcs.
pub struct Two<D, B>(pub(crate) Place<D>, pub(crate) B);

impl<D, B> Two<D, B>
where
    D: Offer<()>,
    B: for<'a> KeyOf<&'a D::Token>,
{
    /// Bindings in order, until `stop` says so.
    #[inline]
    fn scan<G: Guard<Self>>(
        &self,
        on: &<Self as Inputs>::Shelves,
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

    /// How many bindings each token of the first place has. They are the same for all tokens, because no key tells
    /// them apart.
    fn row(&self, on: &<Self as Inputs>::Shelves) -> u64 {
        let first = on.0.0.borrow();
        if first.ready.count(&()) == 0 {
            return 0;
        }
        let key = self.1.key(first.ready.get(&(), 0));
        u64::from(on.1.0.borrow().ready.count(&key))
    }
}

impl<D, B> Inputs for Two<D, B>
where
    D: Offer<()>,
    B: for<'a> KeyOf<&'a D::Token>,
{
    type Refs<'a> = (&'a D::Token, &'a <B::D as Discipline>::Token);
    type Tokens = (D::Token, <B::D as Discipline>::Token);
    type Shelves = (WiredShelf<D>, WiredShelf<B::D>);

    fn wire(&self, wiring: &Wiring<'_>) -> Self::Shelves {
        (wiring.shelf(self.0), wiring.shelf(self.1.place()))
    }

    fn places(&self) -> Vec<PlaceId> {
        vec![self.0.id, self.1.place().id]
    }

    fn unindexed(&self) -> usize {
        usize::from(D::OFFERS_MANY) + offers_many::<B>()
    }

    #[inline]
    fn count<G: Guard<Self>>(&self, on: &Self::Shelves, guard: &G, limit: u64) -> (u64, Indices) {
        if G::ALWAYS && B::INDEPENDENT {
            let rows = on.0.0.borrow().ready.count(&());
            return ((u64::from(rows) * self.row(on)).min(limit), [0; 3]);
        }
        let mut count = Count::up_to(limit);
        self.scan(on, guard, |chosen| count.add(chosen));
        count.result()
    }

    fn nth<G: Guard<Self>>(&self, on: &Self::Shelves, guard: &G, nth: u64) -> Indices {
        if G::ALWAYS && B::INDEPENDENT {
            let row = self.row(on);
            return [(nth / row) as u32, (nth % row) as u32, 0];
        }
        let mut nth = Nth::after(nth);
        self.scan(on, guard, |chosen| nth.add(chosen));
        nth.found
    }

    #[inline]
    fn take(&self, on: &Self::Shelves, chosen: Indices, core: &mut Core) -> Self::Tokens {
        let a = take_from(&on.0, &(), chosen[0], core);
        let key = self.1.key(&a);
        let b = take_from(&on.1, &key, chosen[1], core);
        (a, b)
    }
}

/// Three arcs.
pub struct Three<D, B, C>(pub(crate) Place<D>, pub(crate) B, pub(crate) C);

impl<D, B, C> Three<D, B, C>
where
    D: Offer<()>,
    B: for<'a> KeyOf<&'a D::Token>,
    C: for<'a> KeyOf<(&'a D::Token, &'a <B::D as Discipline>::Token)>,
{
    /// Bindings in order, until `stop` says so.
    #[inline]
    fn scan<G: Guard<Self>>(
        &self,
        on: &<Self as Inputs>::Shelves,
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
}

impl<D, B, C> Inputs for Three<D, B, C>
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
    type Shelves = (WiredShelf<D>, WiredShelf<B::D>, WiredShelf<C::D>);

    fn wire(&self, wiring: &Wiring<'_>) -> Self::Shelves {
        (
            wiring.shelf(self.0),
            wiring.shelf(self.1.place()),
            wiring.shelf(self.2.place()),
        )
    }

    fn places(&self) -> Vec<PlaceId> {
        vec![self.0.id, self.1.place().id, self.2.place().id]
    }

    fn unindexed(&self) -> usize {
        usize::from(D::OFFERS_MANY) + offers_many::<B>() + offers_many::<C>()
    }

    fn count<G: Guard<Self>>(&self, on: &Self::Shelves, guard: &G, limit: u64) -> (u64, Indices) {
        let mut count = Count::up_to(limit);
        self.scan(on, guard, |chosen| count.add(chosen));
        count.result()
    }

    fn nth<G: Guard<Self>>(&self, on: &Self::Shelves, guard: &G, nth: u64) -> Indices {
        let mut nth = Nth::after(nth);
        self.scan(on, guard, |chosen| nth.add(chosen));
        nth.found
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

impl<D: Offer<()>> Source<()> for &Place<D> {
    type Next = One<D>;

    fn attach(self, (): (), _: &mut UnitInputs) -> One<D> {
        One(*self)
    }
}

impl<D: Offer<()>, E: Offer<()>> Source<One<D>> for &Place<E> {
    type Next = Two<D, Take<E>>;

    fn attach(self, One(first): One<D>, _: &mut UnitInputs) -> Self::Next {
        Two(first, Take(*self))
    }
}

impl<D, B, E: Offer<()>> Source<Two<D, B>> for &Place<E> {
    type Next = Three<D, B, Take<E>>;

    fn attach(self, Two(first, second): Two<D, B>, _: &mut UnitInputs) -> Self::Next {
        Three(first, second, Take(*self))
    }
}

/// Inputs that a join may follow.
pub trait Joinable: Inputs {
    /// The inputs with the join.
    type With<J>;

    #[doc(hidden)]
    fn with<J>(self, join: J) -> Self::With<J>;
}

impl<D: Offer<()>> Joinable for One<D> {
    type With<J> = Two<D, J>;

    fn with<J>(self, join: J) -> Two<D, J> {
        Two(self.0, join)
    }
}

impl<D, B> Joinable for Two<D, B>
where
    D: Offer<()>,
    B: for<'a> KeyOf<&'a D::Token>,
{
    type With<J> = Three<D, B, J>;

    fn with<J>(self, join: J) -> Three<D, B, J> {
        Three(self.0, self.1, join)
    }
}
