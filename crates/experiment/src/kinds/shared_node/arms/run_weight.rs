//! What `hotset run` holds, started without a plan, for the foreground's weight.

use super::arm::{Arm, Heeds, Means, Traffic, nothing};

/// Follows the traffic, with the foreground's weight.
pub(crate) static RUN_WEIGHT: Arm = Arm {
    name: "run-weight",
    means: Means::Run,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Weight,
    choose: nothing,
};
