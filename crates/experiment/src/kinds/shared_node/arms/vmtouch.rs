//! The same files as in the ramfs arm, locked into the page cache where they are.

use super::arm::{Arm, Heeds, Means, Traffic};
use super::hottest::hottest_files;

/// Locks the foreground's most requested files.
pub(crate) static VMTOUCH: Arm = Arm {
    name: "vmtouch",
    means: Means::Locked,
    traffic: Traffic::BothSites,
    is_planned: false,
    heeds: Heeds::Nothing,
    choose: hottest_files,
};
