//! Which files to hold: greedy by value per page, within memory and reservations.
//!
//! Holding is a knapsack: each object saves so much and takes so many pages. Taking objects by falling
//! value per page, those that do not fit skipped, is the greedy of G. Dantzig, "Discrete-variable
//! extremum problems", Operations Research 5 (1957); where the first object that does not fit is taken
//! in part, it is the optimum of the linear relaxation, which no choice of whole objects can exceed.

mod bound;
mod greedy;
mod held;
mod ranking;

pub use bound::Bound;
pub(crate) use bound::bound;
pub use greedy::{Budget, select};
pub(crate) use greedy::{Room, best_by_heat};
pub use held::HeldSet;
pub use ranking::Ranking;
pub(crate) use ranking::{Candidate, merged};
