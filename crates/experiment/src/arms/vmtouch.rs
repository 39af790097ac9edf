//! The same files as in the ramfs arm, locked into the page cache where they are.

use super::{Arm, Means, Situation, hottest_of_foreground};
use hotset_lab::LabError;

/// Locks the foreground's most requested files.
pub struct Vmtouch;

impl Arm for Vmtouch {
    fn means(&self) -> Means {
        Means::Locked
    }

    fn held(&self, situation: &Situation) -> Result<Vec<u32>, LabError> {
        hottest_of_foreground(situation)
    }
}
