//! Tests of what hotset can be asked to do, through the public surface.

mod nets;
mod refusals;
mod underlying_store;
