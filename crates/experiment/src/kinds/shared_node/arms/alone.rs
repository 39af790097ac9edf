//! The foreground without the background: what the background takes from it.

use super::arm::{Arm, Heeds, Means, Traffic, nothing};

/// Holds nothing, and nobody else is there.
pub(crate) static ALONE: Arm = Arm {
    name: "alone",
    means: Means::Nothing,
    traffic: Traffic::Foreground,
    is_planned: false,
    heeds: Heeds::Nothing,
    choose: nothing,
};
