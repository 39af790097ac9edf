//! Bindings: choices of tokens that a transition takes, and conditions on them.

use std::fmt::Debug;

use crate::handles::PlaceId;
use crate::net::Wiring;
use crate::state::Core;

/// Which offered token of each arc.
pub type Indices = [u32; 3];

/// The coloured tokens that a transition takes.
pub trait Inputs: Send + Sync + 'static {
    /// A binding that is looked at.
    type Refs<'a>;
    /// A binding that is taken.
    type Tokens: Debug;
    #[doc(hidden)]
    type Shelves: 'static;

    #[doc(hidden)]
    fn wire(&self, wiring: &Wiring<'_>) -> Self::Shelves;
    #[doc(hidden)]
    fn places(&self) -> Vec<PlaceId>;
    /// Arcs that may offer several tokens without a key.
    #[doc(hidden)]
    fn unindexed(&self) -> usize;
    /// Bindings that the guard accepts, counted up to `limit`, and the first of them.
    #[doc(hidden)]
    fn count<G: Guard<Self>>(&self, on: &Self::Shelves, guard: &G, limit: u64) -> (u64, Indices)
    where
        Self: Sized;
    /// The binding of this number, in the order of counting.
    #[doc(hidden)]
    fn nth<G: Guard<Self>>(&self, on: &Self::Shelves, guard: &G, nth: u64) -> Indices
    where
        Self: Sized;
    #[doc(hidden)]
    fn take(&self, on: &Self::Shelves, chosen: Indices, core: &mut Core) -> Self::Tokens;
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
