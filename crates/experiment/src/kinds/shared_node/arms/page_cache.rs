//! All memory is page cache.

use super::arm::{Arm, Heeds, Means, Traffic, nothing};

/// Holds nothing.
pub(crate) static PAGE_CACHE: Arm = Arm {
    name: "page-cache",
    means: Means::Nothing,
    traffic: Traffic::BothSites,
    is_planned: false,
    heeds: Heeds::Nothing,
    choose: nothing,
};
