//! The compiled body of a transition that has coloured tokens or code.

use std::sync::Arc;

use super::binding::{Guard, Inputs};
use super::objects::Objects;
use super::outputs::Outputs;
use crate::net::{Body, MakeBody, Wiring};
use crate::state::Firing;

/// What the author said of a transition.
pub(crate) struct Closures<I, O, G, B, F> {
    pub inputs: I,
    pub outputs: O,
    pub guard: G,
    pub objects: B,
    pub code: F,
}

impl<I, O, G, B, F> MakeBody for Closures<I, O, G, B, F>
where
    I: Inputs,
    O: Outputs,
    G: Guard<I>,
    B: Objects,
    F: for<'b> Fn(I::Tokens, B::Borrowed<'b>, &mut Firing<'_>) -> O::Tokens + Send + Sync + 'static,
{
    fn make(self: Arc<Self>, wiring: &Wiring<'_>) -> Box<dyn Body> {
        Box::new(CompiledBody {
            taken: self.inputs.wire(wiring),
            given: self.outputs.wire(wiring),
            objects: self.objects.wire(wiring),
            first: [0; 3],
            closures: self,
        })
    }
}

struct CompiledBody<I: Inputs, O: Outputs, G, B: Objects, F> {
    closures: Arc<Closures<I, O, G, B, F>>,
    taken: I::Shelves,
    given: O::Shelves,
    objects: B::Cells,
    /// The first binding of the last count.
    first: [u32; 3],
}

impl<I, O, G, B, F> Body for CompiledBody<I, O, G, B, F>
where
    I: Inputs,
    O: Outputs,
    G: Guard<I>,
    B: Objects,
    F: for<'b> Fn(I::Tokens, B::Borrowed<'b>, &mut Firing<'_>) -> O::Tokens,
{
    fn count(&mut self, limit: u64) -> u64 {
        let closures = &*self.closures;
        let (count, first) = closures.inputs.count(&self.taken, &closures.guard, limit);
        self.first = first;
        count
    }

    fn fire(&mut self, nth: u64, firing: &mut Firing<'_>) {
        let closures = &*self.closures;
        let chosen = match nth {
            0 => self.first,
            _ => closures.inputs.nth(&self.taken, &closures.guard, nth),
        };
        let tokens = closures.inputs.take(&self.taken, chosen, firing.core());
        firing.trace(&tokens);
        let given = B::lend(&self.objects, |objects| {
            (closures.code)(tokens, objects, firing)
        });
        firing.settle();
        closures.outputs.put(&self.given, given, firing);
    }
}
