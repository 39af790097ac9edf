//! What `hotset plan` chooses for the foreground's target: files that share their memory with one page cache.

use super::arm::{Arm, Heeds, Means, Traffic};
use super::plan::by_target;

/// Plans for the foreground's target.
pub(crate) static PLAN_TARGET: Arm = Arm {
    name: "plan-target",
    means: Means::Ramfs,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Target,
    choose: |situation| by_target(situation, false),
};
