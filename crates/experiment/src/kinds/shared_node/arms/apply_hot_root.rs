//! The plan, held by `hotset apply --placer hot-root` under a server that looks there first.

use super::arm::{Arm, Heeds, Means, Traffic};
use super::plan::without_priority;

/// Keeps copies of the plan's files beside them.
pub(crate) static APPLY_HOT_ROOT: Arm = Arm {
    name: "apply-hot-root",
    means: Means::HotRoot,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Nothing,
    choose: without_priority,
};
