//! A memory group for the foreground's server, with as much memory as the ramfs arm holds files in.

use super::{Arm, Means, Traffic, hottest_of_foreground};

/// Divides the memory between the sites.
pub(in crate::shared_node) static OWN_GROUP: Arm = Arm {
    name: "own-group",
    means: Means::OwnGroup,
    traffic: Traffic::BothSites,
    held: hottest_of_foreground,
};
