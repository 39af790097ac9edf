//! A run of a net: from the initial marking, firing after firing.

mod bundles;
mod choice;
mod core;
mod firing;
mod queue;
mod simulation;
mod tally;

pub use self::core::Core;
pub use choice::Choice;
pub use firing::Firing;
pub use simulation::{Event, Simulation, Token};
