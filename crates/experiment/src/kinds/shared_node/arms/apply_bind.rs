//! The plan, held by `hotset apply --placer bind` under a server that `hotset exec` has started.

use super::arm::{Arm, Heeds, Means, Traffic};
use super::plan::without_priority;

/// Mounts copies over the plan's files.
pub(crate) static APPLY_BIND: Arm = Arm {
    name: "apply-bind",
    means: Means::Bind,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Nothing,
    choose: without_priority,
};
