//! What `hotset plan` chooses for the foreground's weight: files that share their memory with one page cache.

use super::arm::{Arm, Heeds, Means, Traffic};
use super::plan::by_weight;

/// Plans for the foreground's weight.
pub(crate) static PLAN_WEIGHT: Arm = Arm {
    name: "plan-weight",
    means: Means::Ramfs,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Weight,
    choose: |situation| by_weight(situation, false),
};
