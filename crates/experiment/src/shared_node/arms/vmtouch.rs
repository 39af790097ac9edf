//! The same files as in the ramfs arm, locked into the page cache where they are.

use super::{Arm, Means, Situation, Traffic, hottest_of_foreground};
use crate::ExperimentError;

/// Locks the foreground's most requested files.
pub(crate) struct Vmtouch;

impl Arm for Vmtouch {
    fn name(&self) -> &'static str {
        "vmtouch"
    }

    fn means(&self) -> Means {
        Means::Locked
    }

    fn traffic(&self) -> Traffic {
        Traffic::BothSites
    }

    fn held(&self, situation: &Situation) -> Result<Vec<u32>, ExperimentError> {
        hottest_of_foreground(situation)
    }
}
