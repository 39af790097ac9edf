//! A memory group for the foreground's server, with as much memory as the ramfs arm holds files in.

use super::{Arm, Means, Situation, hottest_of_foreground};
use hotset_lab::LabError;

/// Parts the memory between the sites.
pub struct OwnGroup;

impl Arm for OwnGroup {
    fn means(&self) -> Means {
        Means::OwnGroup
    }

    fn held(&self, situation: &Situation) -> Result<Vec<u32>, LabError> {
        hottest_of_foreground(situation)
    }
}
