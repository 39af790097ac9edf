//! The foreground without the background: what the background takes from it.

use super::arm::{Arm, Means, Traffic, nothing};

/// Holds nothing, and nobody else is there.
pub(crate) static ALONE: Arm = Arm {
    name: "alone",
    means: Means::Nothing,
    traffic: Traffic::Foreground,
    held: nothing,
};
