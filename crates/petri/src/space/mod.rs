//! The state space of a net: every marking that firings can lead to, and what follows from all of them.

mod chain;
mod colours;
mod contents;
mod error;
mod explore;
mod growth;
mod invariants;
mod layout;
mod long_run;
mod markings;
mod paths;
mod rules;
mod skeleton;
mod state_space;

pub use chain::{ChainError, SteadyState};
pub use error::SpaceError;
pub use explore::Exploration;
pub use invariants::{PlaceInvariant, Weights};
pub use long_run::LongRun;
pub use paths::{Marking, Step};
pub use state_space::{End, StateSpace};
