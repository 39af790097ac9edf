//! What is to be done about wanted files: decided without looking at anything, carried out elsewhere.
//!
//! | deed | place |
//! | --- | --- |
//! | what is held of each wanted file, and what a change makes of it | `holdings.rs` |
//! | what was seen of a file, and how much may be held | `observation.rs` |
//! | which files are given up, held, shared and left out, and in which order | `decide.rs` |
//!
//! A guardian's keeper carries the changes out (`keeper/placing.rs`), `hotset apply --dry-run` shows what they would come to
//! (`preview.rs`), and a simulator can ask what `hotset run` would do: all of them call [`decide`].

mod decide;
mod holdings;
mod observation;

pub use decide::{Change, decide};
pub use holdings::{Hold, Holding, Holdings};
pub use observation::{Affordable, Observation};
