//! What `hotset plan` chooses for the foreground's weight: memory groups, with held files or without, where the planner finds them better.

use super::arm::{Arm, Heeds, Means, Traffic};
use super::plan::by_weight;

/// Plans for the foreground's weight.
pub(crate) static GROUPS_WEIGHT: Arm = Arm {
    name: "groups-weight",
    means: Means::Groups,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Weight,
    choose: |situation| by_weight(situation, true),
};
