//! What a run is about: sites, stores and nodes in one TOML file; store profiles and their cost
//! function; the placement a plan consists of.

mod profile;

pub use profile::{CostLine, Profile};
