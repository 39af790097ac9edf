//! The documents' multi file system: the hottest files of the foreground in ramfs ("Workload-driven analysis of file
//! systems in shared multi-tier data-centers over InfiniBand", section 4.5).

use super::{Arm, Means, Situation, Traffic, hottest_of_foreground};
use crate::ExperimentError;

/// Holds the foreground's most requested files.
pub(crate) struct Ramfs;

impl Arm for Ramfs {
    fn name(&self) -> &'static str {
        "ramfs"
    }

    fn means(&self) -> Means {
        Means::Ramfs
    }

    fn traffic(&self) -> Traffic {
        Traffic::BothSites
    }

    fn held(&self, situation: &Situation) -> Result<Vec<u32>, ExperimentError> {
        hottest_of_foreground(situation)
    }
}
