//! The same files as in the ramfs arm, locked into the page cache where they are.

use super::arm::{Arm, Means, Traffic};
use super::hottest::hottest_of_foreground;

/// Locks the foreground's most requested files.
pub(crate) static VMTOUCH: Arm = Arm {
    name: "vmtouch",
    means: Means::Locked,
    traffic: Traffic::BothSites,
    held: hottest_of_foreground,
};
