//! The state of a run: its clock, what its places hold, what is pending, and what its monitors have seen. Code of transitions sees it
//! through a [`Firing`].

mod core;
mod firing;
mod links;
mod queue;
mod tally;

pub use self::core::Core;
pub(crate) use self::core::Fault;
pub use firing::Firing;
pub(crate) use links::{Links, Lists};
pub(crate) use tally::Tally;
