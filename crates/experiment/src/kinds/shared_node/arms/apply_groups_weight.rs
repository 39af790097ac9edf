//! The plan with memory groups for the foreground's weight, each site held by a `hotset apply --placer pin` of its own.

use super::arm::{Arm, Heeds, Means, Traffic};
use super::plan::by_weight;

/// Plans for the foreground's weight, and locks the plan's files in place, in the group of their site's server.
pub(crate) static APPLY_GROUPS_WEIGHT: Arm = Arm {
    name: "apply-groups-weight",
    means: Means::PinInGroups,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Weight,
    choose: |situation| by_weight(situation, true),
};
