//! What all applications have in common.

use crate::sessions::Mix;

/// A web application of a benchmark: its database, its pages, and how its visitors move.
pub trait Application {
    /// Its name, as `hotset generate` takes it.
    fn name(&self) -> &'static str;

    /// How its visitors move, a mix each.
    fn mixes(&self) -> Vec<Mix>;
}
