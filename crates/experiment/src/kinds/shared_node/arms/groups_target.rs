//! What `hotset plan` chooses for the foreground's target: memory groups, with held files or without, where the planner finds them better.

use super::arm::{Arm, Heeds, Means, Traffic};
use super::plan::by_target;

/// Plans for the foreground's target.
pub(crate) static GROUPS_TARGET: Arm = Arm {
    name: "groups-target",
    means: Means::Groups,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Target,
    choose: |situation| by_target(situation, true),
};
