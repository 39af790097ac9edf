//! Conditions on bindings.

use super::Inputs;

/// Whether a transition may fire with a binding.
pub trait Guard<I: Inputs>: Send + Sync + 'static {
    /// Whether every binding will do.
    const ALWAYS: bool;

    /// Whether this one will do.
    fn holds(&self, binding: I::Refs<'_>) -> bool;
}

/// No guard.
pub struct Always;

impl<I: Inputs> Guard<I> for Always {
    const ALWAYS: bool = true;

    #[inline]
    fn holds(&self, _: I::Refs<'_>) -> bool {
        true
    }
}

/// A closure as guard.
pub struct When<G>(pub(crate) G);

impl<I: Inputs, G> Guard<I> for When<G>
where
    G: for<'a> Fn(I::Refs<'a>) -> bool + Send + Sync + 'static,
{
    const ALWAYS: bool = false;

    #[inline]
    fn holds(&self, binding: I::Refs<'_>) -> bool {
        (self.0)(binding)
    }
}
