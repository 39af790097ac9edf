//! The documents' multi file system: the hottest files of the foreground in ramfs ("Workload-driven analysis of file
//! systems in shared multi-tier data-centers over InfiniBand", section 4.5).

use super::arm::{Arm, Heeds, Means, Traffic};
use super::hottest::hottest_files;

/// Holds the foreground's most requested files.
pub(crate) static RAMFS: Arm = Arm {
    name: "ramfs",
    means: Means::Ramfs,
    traffic: Traffic::BothSites,
    is_planned: false,
    heeds: Heeds::Nothing,
    choose: hottest_files,
};
