//! Tests of the demo, through the public surface.

mod prediction;
mod server;
mod traffic;
mod workplace;
