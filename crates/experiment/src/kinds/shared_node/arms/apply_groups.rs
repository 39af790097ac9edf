//! The plan with memory groups, each site held by a `hotset apply --placer pin` of its own.

use super::arm::{Arm, Heeds, Means, Traffic};
use super::plan::by_mean;

/// Locks the plan's files in place, in the group of their site's server.
pub(crate) static APPLY_GROUPS: Arm = Arm {
    name: "apply-groups",
    means: Means::PinInGroups,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Nothing,
    choose: |situation| by_mean(situation, true),
};
