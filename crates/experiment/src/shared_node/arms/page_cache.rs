//! All memory is page cache.

use super::arm::{Arm, Means, Traffic, nothing};

/// Holds nothing.
pub(crate) static PAGE_CACHE: Arm = Arm {
    name: "page-cache",
    means: Means::Nothing,
    traffic: Traffic::BothSites,
    held: nothing,
};
