//! The plan with memory groups for the foreground's target, each site held by a `hotset apply --placer pin` of its own.

use super::arm::{Arm, Heeds, Means, Traffic};
use super::plan::by_target;

/// Plans for the foreground's target, and locks the plan's files in place, in the group of their site's server.
pub(crate) static APPLY_GROUPS_TARGET: Arm = Arm {
    name: "apply-groups-target",
    means: Means::PinInGroups,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Target,
    choose: |situation| by_target(situation, true),
};
