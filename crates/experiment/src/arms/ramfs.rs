//! The documents' multi file system: the hottest files of the foreground in ramfs ("Workload-driven analysis of file
//! systems in shared multi-tier data-centers over InfiniBand", section 4.5).

use super::{Arm, Means, Situation, hottest_of_foreground};
use hotset_lab::LabError;

/// Holds the foreground's most requested files.
pub struct Ramfs;

impl Arm for Ramfs {
    fn means(&self) -> Means {
        Means::Ramfs
    }

    fn held(&self, situation: &Situation) -> Result<Vec<u32>, LabError> {
        hottest_of_foreground(situation)
    }
}
