//! A run of a net: from the initial marking, firing after firing.

mod bundles;
mod choice;
mod simulation;
mod start;
mod trial;

pub use choice::Choice;
pub(crate) use simulation::message_of;
pub use simulation::{Event, Simulation, Token};
pub(crate) use trial::Trial;
