//! A memory group for the foreground's server, with as much memory as the ramfs arm holds files in.

use super::arm::{Arm, Means, Traffic};
use super::hottest::hottest_of_foreground;

/// Divides the memory between the sites.
pub(crate) static OWN_GROUP: Arm = Arm {
    name: "own-group",
    means: Means::OwnGroup,
    traffic: Traffic::BothSites,
    held: hottest_of_foreground,
};
