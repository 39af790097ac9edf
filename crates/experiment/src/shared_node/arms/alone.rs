//! The foreground without the background: what the background takes from it.

use super::{Arm, Means, Situation, Traffic};
use crate::ExperimentError;

/// Holds nothing, and nobody else is there.
pub(crate) struct Alone;

impl Arm for Alone {
    fn name(&self) -> &'static str {
        "alone"
    }

    fn means(&self) -> Means {
        Means::Nothing
    }

    fn traffic(&self) -> Traffic {
        Traffic::Foreground
    }

    fn held(&self, _situation: &Situation) -> Result<Vec<u32>, ExperimentError> {
        Ok(Vec::new())
    }
}
