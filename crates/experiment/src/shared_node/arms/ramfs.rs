//! The documents' multi file system: the hottest files of the foreground in ramfs ("Workload-driven analysis of file
//! systems in shared multi-tier data-centers over InfiniBand", section 4.5).

use super::{Arm, Means, Traffic, hottest_of_foreground};

/// Holds the foreground's most requested files.
pub(in crate::shared_node) static RAMFS: Arm = Arm {
    name: "ramfs",
    means: Means::Ramfs,
    traffic: Traffic::BothSites,
    held: hottest_of_foreground,
};
