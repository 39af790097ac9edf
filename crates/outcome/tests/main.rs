//! Tests of outcomes, through the public surface.

mod bootstrap;
mod documents;
mod outcome;
mod pooled;
mod reference;
mod runs;
