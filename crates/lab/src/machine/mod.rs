//! The machine the lab stands on: what it must have, and whether it is quiet.

mod quietness;
mod requirements;

pub use quietness::{Quietness, Watch};
pub use requirements::{Need, Requirements};
