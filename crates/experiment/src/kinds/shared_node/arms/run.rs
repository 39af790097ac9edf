//! What `hotset run` holds, started without a plan, where both sites count alike.

use super::arm::{Arm, Heeds, Means, Traffic, nothing};

/// Follows the traffic.
pub(crate) static RUN: Arm = Arm {
    name: "run",
    means: Means::Run,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Nothing,
    choose: nothing,
};
