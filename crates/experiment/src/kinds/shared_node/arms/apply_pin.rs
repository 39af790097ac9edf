//! The plan, held by `hotset apply --placer pin` under a server that runs.

use super::arm::{Arm, Heeds, Means, Traffic};
use super::plan::without_priority;

/// Locks the plan's files in place.
pub(crate) static APPLY_PIN: Arm = Arm {
    name: "apply-pin",
    means: Means::Pin,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Nothing,
    choose: without_priority,
};
