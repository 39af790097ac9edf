//! The foreground without the background: what the background takes from it.

use super::{Arm, Means, Situation};
use hotset_lab::LabError;

/// Holds nothing, and nobody else is there.
pub struct Alone;

impl Arm for Alone {
    fn means(&self) -> Means {
        Means::Nothing
    }

    fn held(&self, _situation: &Situation) -> Result<Vec<u32>, LabError> {
        Ok(Vec::new())
    }

    fn alone(&self) -> bool {
        true
    }
}
