//! What is to be done about wanted files: decided without looking at anything, carried out elsewhere.
//!
//! | deed | place |
//! | --- | --- |
//! | what is held of a file; of all wanted files, and what a change makes of it | `hold.rs`; `holdings.rs` |
//! | what was seen of a file, and how much may be held | `observation.rs` |
//! | a file with several names or of several sites is held once | `decide.rs` |
//! | which files are given up, held, shared and left out, and in which order | `decide.rs` |
//!
//! A guardian's keeper carries the changes out (`keeper/placing.rs`), `hotset apply --dry-run` shows what they would come to
//! (`preview.rs`), and a simulator can ask what `hotset run` would do: all of them call [`decide`].

mod change;
mod decide;
mod hold;
mod holdings;
mod observation;

pub use change::Change;
pub use decide::decide;
pub use hold::{Hold, Holding};
pub use holdings::Holdings;
pub use observation::{Affordable, Observation};
