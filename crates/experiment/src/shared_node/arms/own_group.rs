//! A memory group for the foreground's server, with as much memory as the ramfs arm holds files in.

use super::{Arm, Means, Situation, Traffic, hottest_of_foreground};
use crate::ExperimentError;

/// Parts the memory between the sites.
pub(crate) struct OwnGroup;

impl Arm for OwnGroup {
    fn name(&self) -> &'static str {
        "own-group"
    }

    fn means(&self) -> Means {
        Means::OwnGroup
    }

    fn traffic(&self) -> Traffic {
        Traffic::BothSites
    }

    fn held(&self, situation: &Situation) -> Result<Vec<u32>, ExperimentError> {
        hottest_of_foreground(situation)
    }
}
