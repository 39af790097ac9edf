//! A transition: its arcs, its guard, its delay and its code, one after the other.

use std::marker::PhantomData;
use std::sync::Arc;

use super::draft::Draft;
use crate::arcs::{
    Append, Closures, Guard, GuardClosure, Inputs, Join, NoGuard, Objects, Outputs, Source, Target,
};
use crate::delay::Delay;
use crate::expr;
use crate::expression::ExprText;
use crate::handles::{AnyPlace, Object, Place, TransitionId};
use crate::net::{DrawnTransition, Urgent, Wording};
use crate::places::Offer;
use crate::state::Firing;

/// A transition that is being drawn: its inputs `I`, outputs `O` and guard `G`, and the objects `B` that it borrows.
#[must_use = "a transition is part of the net once it has its code: end with `fire` or `done`"]
pub struct Transition<'a, I, O, G, B = ()> {
    draft: &'a mut Draft,
    known: DrawnTransition,
    inputs: I,
    outputs: O,
    guard: G,
    objects: B,
}

impl<'a> Transition<'a, (), (), NoGuard> {
    pub(super) fn new(draft: &'a mut Draft, path: String) -> Self {
        Transition {
            draft,
            known: DrawnTransition::new(path),
            inputs: (),
            outputs: (),
            guard: NoGuard,
            objects: (),
        }
    }
}

impl<'a, I, O, B> Transition<'a, I, O, NoGuard, B> {
    /// Takes a token of a place. Coloured ones become variables of the binding, in the order of their arcs.
    pub fn take<S: Source<I>>(mut self, source: S) -> Transition<'a, S::Next, O, NoGuard, B> {
        let inputs = source.attach(self.inputs, &mut self.known.needs);
        Transition {
            draft: self.draft,
            known: self.known,
            inputs,
            outputs: self.outputs,
            guard: self.guard,
            objects: self.objects,
        }
    }

    /// Takes a token of the key that follows from the variables before. Each of their bindings is looked up, so take from the
    /// place with few tokens and join the one with many.
    #[allow(clippy::type_complexity, reason = "the type says which arcs there are")]
    pub fn join<D, K, F>(
        self,
        place: &Place<D>,
        key: F,
    ) -> Transition<'a, <I as Append<Join<D, K, F>>>::With, O, NoGuard, B>
    where
        I: Inputs + Append<Join<D, K, F>>,
        D: Offer<K>,
        K: 'static,
        F: for<'b> Fn(I::Refs<'b>) -> K + Send + Sync + 'static,
    {
        self.joined(place, key, Wording::Closure)
    }

    /// Like [`join`](Self::join), with a key that other tools understand.
    #[allow(clippy::type_complexity, reason = "the type says which arcs there are")]
    pub fn join_expr<D, K, F>(
        self,
        place: &Place<D>,
        (key, source): (F, ExprText),
    ) -> Transition<'a, <I as Append<Join<D, K, F>>>::With, O, NoGuard, B>
    where
        I: Inputs + Append<Join<D, K, F>>,
        D: Offer<K>,
        K: 'static,
        F: for<'b> Fn(I::Refs<'b>) -> K + Send + Sync + 'static,
    {
        self.joined(place, key, Wording::Expression(source))
    }

    #[allow(clippy::type_complexity, reason = "the type says which arcs there are")]
    fn joined<D, K, F>(
        mut self,
        place: &Place<D>,
        key: F,
        wording: Wording,
    ) -> Transition<'a, <I as Append<Join<D, K, F>>>::With, O, NoGuard, B>
    where
        I: Inputs + Append<Join<D, K, F>>,
        D: Offer<K>,
    {
        self.known.joins.push((self.inputs.places().len(), wording));
        let join = Join {
            place: *place,
            key,
            keys: PhantomData,
        };
        Transition {
            draft: self.draft,
            known: self.known,
            inputs: self.inputs.with(join),
            outputs: self.outputs,
            guard: self.guard,
            objects: self.objects,
        }
    }

    /// Fires only with bindings that the guard accepts. It comes after all arcs that bind variables.
    pub fn when<G>(self, guard: G) -> Transition<'a, I, O, GuardClosure<G>, B>
    where
        I: Inputs,
        G: for<'b> Fn(I::Refs<'b>) -> bool + Send + Sync + 'static,
    {
        self.guarded(guard, Wording::Closure)
    }

    /// Like [`when`](Self::when), with a guard that other tools understand.
    pub fn when_expr<G>(
        self,
        (guard, source): (G, ExprText),
    ) -> Transition<'a, I, O, GuardClosure<G>, B>
    where
        I: Inputs,
        G: for<'b> Fn(I::Refs<'b>) -> bool + Send + Sync + 'static,
    {
        self.guarded(guard, Wording::Expression(source))
    }

    fn guarded<G>(
        mut self,
        guard: G,
        wording: Wording,
    ) -> Transition<'a, I, O, GuardClosure<G>, B> {
        self.known.guard = Some(wording);
        Transition {
            draft: self.draft,
            known: self.known,
            inputs: self.inputs,
            outputs: self.outputs,
            guard: GuardClosure(guard),
            objects: self.objects,
        }
    }
}

impl<'a, I, O, G, B> Transition<'a, I, O, G, B> {
    /// Puts a token into a place. What coloured ones are is what the code returns, in the order of their arcs.
    pub fn put<T: Target<O>>(mut self, target: T) -> Transition<'a, I, T::Next, G, B> {
        let outputs = target.attach(self.outputs, &mut self.known.gives);
        Transition {
            draft: self.draft,
            known: self.known,
            inputs: self.inputs,
            outputs,
            guard: self.guard,
            objects: self.objects,
        }
    }

    /// Borrows an object of the run while it fires: [`fire_with`](Self::fire_with) has it, after those borrowed before.
    pub fn borrow<T>(self, object: &Object<T>) -> Transition<'a, I, O, G, B::With>
    where
        B: Append<Object<T>>,
    {
        Transition {
            draft: self.draft,
            known: self.known,
            inputs: self.inputs,
            outputs: self.outputs,
            guard: self.guard,
            objects: self.objects.with(*object),
        }
    }

    /// Fires only while a place holds no token, ready or not.
    pub fn unless(self, place: &impl AnyPlace) -> Self {
        self.below(place, 1)
    }

    /// Fires only while a place holds fewer tokens than this, ready or not.
    pub fn below(mut self, place: &impl AnyPlace, tokens: u32) -> Self {
        self.known.inhibitors.push((place.place_id(), tokens));
        self
    }

    /// Takes all tokens out of a place at each firing, ready or not, after taking its inputs.
    pub fn reset(mut self, place: &impl AnyPlace) -> Self {
        self.known.resets.push(place.place_id());
        self
    }

    /// All tokens that it gives are ready so much later.
    pub fn delay(mut self, delay: Delay) -> Self {
        self.known.delay = delay;
        self
    }

    /// How urgent it is among transitions that are enabled at one moment.
    pub fn urgency(mut self, urgency: Urgent) -> Self {
        self.known.urgency = urgency.0;
        self
    }

    /// Tries every pair of tokens of its places: meant for few tokens.
    pub fn unindexed(mut self) -> Self {
        self.known.may_scan = true;
        self
    }

    /// Ends a transition that borrows objects with its code, which gets them as `&mut`: one, or a tuple of them.
    pub fn fire_with<F>(self, code: F) -> TransitionId
    where
        I: Inputs,
        O: Outputs,
        G: Guard<I>,
        B: Objects,
        F: for<'b> Fn(I::Tokens, B::Borrowed<'b>, &mut Firing<'_>) -> O::Tokens
            + Send
            + Sync
            + 'static,
    {
        self.ended(code, Wording::Closure)
    }

    fn ended<F>(mut self, code: F, wording: Wording) -> TransitionId
    where
        I: Inputs,
        O: Outputs,
        G: Guard<I>,
        B: Objects,
        F: for<'b> Fn(I::Tokens, B::Borrowed<'b>, &mut Firing<'_>) -> O::Tokens
            + Send
            + Sync
            + 'static,
    {
        self.known.code = Some(wording);
        self.known.coloured_in = self.inputs.places();
        self.known.coloured_out = self.outputs.targets();
        self.known.unindexed = self.inputs.unindexed();
        self.known.objects = self.objects.ids();
        self.known.body = Some(Arc::new(Closures {
            inputs: self.inputs,
            outputs: self.outputs,
            guard: self.guard,
            objects: self.objects,
            code,
        }));
        self.draft.transition(self.known)
    }
}

impl<I, O, G> Transition<'_, I, O, G>
where
    I: Inputs,
    O: Outputs,
    G: Guard<I>,
{
    /// Ends the transition with its code: what it gives for what it took.
    pub fn fire<F>(self, code: F) -> TransitionId
    where
        F: Fn(I::Tokens, &mut Firing<'_>) -> O::Tokens + Send + Sync + 'static,
    {
        self.fire_with(move |tokens, (), firing: &mut Firing<'_>| code(tokens, firing))
    }

    /// Like [`fire`](Self::fire), with code that other tools understand.
    pub fn fire_expr<F>(self, (code, source): (F, ExprText)) -> TransitionId
    where
        F: Fn(I::Tokens, &mut Firing<'_>) -> O::Tokens + Send + Sync + 'static,
    {
        let code = move |tokens, (), firing: &mut Firing<'_>| code(tokens, firing);
        self.ended(code, Wording::Expression(source))
    }
}

impl<I: Inputs, G: Guard<I>> Transition<'_, I, (), G> {
    /// Ends a transition that gives unit tokens only and has no code.
    pub fn done(self) -> TransitionId {
        let counts_only = self.inputs.places().is_empty() && G::ALWAYS;
        if counts_only {
            return self.draft.transition(self.known);
        }
        self.fire_expr(expr!(|_, _| ()))
    }
}
