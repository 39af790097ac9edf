//! The foreground without the background: what the background takes from it.

use super::{Arm, Means, Traffic, nothing};

/// Holds nothing, and nobody else is there.
pub(in crate::shared_node) static ALONE: Arm = Arm {
    name: "alone",
    means: Means::Nothing,
    traffic: Traffic::Foreground,
    held: nothing,
};
