//! Bindings: choices of tokens that a transition takes, and conditions on them.

use std::fmt::Debug;

use crate::handles::PlaceId;
use crate::net::Wiring;
use crate::state::Core;

/// Which offered token of each arc.
pub type Indices = [u32; 3];

/// The coloured tokens that a transition takes.
pub trait Inputs: Arcs {
    /// A binding that is looked at.
    type Refs<'a>;
    /// A binding that is taken.
    type Tokens: Debug;

    /// How many tokens the first arc offers, and how many bindings each of them has; nothing where that differs from token to token.
    #[doc(hidden)]
    fn grid(&self, on: &Self::Shelves) -> Option<[u64; 2]>;
    /// Bindings that the guard accepts, in order, until `stop` says so.
    #[doc(hidden)]
    fn scan<G: Guard<Self>>(
        &self,
        on: &Self::Shelves,
        guard: &G,
        stop: impl FnMut(Indices) -> bool,
    ) where
        Self: Sized;
    #[doc(hidden)]
    fn take(&self, on: &Self::Shelves, chosen: Indices, core: &mut Core) -> Self::Tokens;

    /// Bindings that the guard accepts, counted up to `limit`, and the first of them.
    #[doc(hidden)]
    #[inline]
    fn count<G: Guard<Self>>(&self, on: &Self::Shelves, guard: &G, limit: u64) -> (u64, Indices)
    where
        Self: Sized,
    {
        if G::ALWAYS
            && let Some([rows, row]) = self.grid(on)
        {
            return ((rows * row).min(limit), [0; 3]);
        }
        let (mut seen, mut first) = (0, [0; 3]);
        self.scan(on, guard, |chosen| {
            if seen == 0 {
                first = chosen;
            }
            seen += 1;
            seen >= limit
        });
        (seen, first)
    }

    /// The binding of this number, in the order of counting.
    #[doc(hidden)]
    fn nth<G: Guard<Self>>(&self, on: &Self::Shelves, guard: &G, nth: u64) -> Indices
    where
        Self: Sized,
    {
        if G::ALWAYS
            && let Some([_, row]) = self.grid(on)
        {
            return [(nth / row) as u32, (nth % row) as u32, 0];
        }
        let (mut before, mut found) = (0, [0; 3]);
        self.scan(on, guard, |chosen| {
            found = chosen;
            before += 1;
            before > nth
        });
        found
    }
}

/// Arcs from places of coloured tokens.
pub trait Arcs: Send + Sync + 'static {
    #[doc(hidden)]
    type Shelves: 'static;

    #[doc(hidden)]
    fn wire(&self, wiring: &Wiring<'_>) -> Self::Shelves;
    #[doc(hidden)]
    fn places(&self) -> Vec<PlaceId>;
    /// Arcs that may offer several tokens without a key.
    #[doc(hidden)]
    fn unindexed(&self) -> usize;
}

/// Whether a transition may fire with a binding.
pub trait Guard<I: Inputs>: Send + Sync + 'static {
    /// Whether every binding will do.
    const ALWAYS: bool;

    /// Whether this one will do.
    fn holds(&self, binding: I::Refs<'_>) -> bool;
}

/// No guard.
pub struct NoGuard;

impl<I: Inputs> Guard<I> for NoGuard {
    const ALWAYS: bool = true;

    #[inline]
    fn holds(&self, _: I::Refs<'_>) -> bool {
        true
    }
}

/// A closure as guard.
pub struct GuardClosure<G>(pub(crate) G);

impl<I: Inputs, G> Guard<I> for GuardClosure<G>
where
    G: for<'a> Fn(I::Refs<'a>) -> bool + Send + Sync + 'static,
{
    const ALWAYS: bool = false;

    #[inline]
    fn holds(&self, binding: I::Refs<'_>) -> bool {
        (self.0)(binding)
    }
}
