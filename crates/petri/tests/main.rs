//! Tests of nets, through the public surface.

mod as_the_reference;
mod chains;
mod contest;
mod exactness;
mod invariants;
mod random;
mod reference;
mod refusals;
mod semantics;
mod spaces_as_the_reference;
mod state_spaces;
mod stations;
mod support;
