//! A run of a net: from the initial marking, firing after firing.

mod bundles;
mod choice;
mod core;
mod firing;
mod queue;
mod simulation;
mod tally;
mod trial;

pub use self::core::Core;
pub use choice::Choice;
pub use firing::Firing;
pub(crate) use simulation::message_of;
pub use simulation::{Event, Simulation, Token};
pub(crate) use trial::Trial;
