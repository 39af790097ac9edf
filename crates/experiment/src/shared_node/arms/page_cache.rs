//! All memory is page cache.

use super::{Arm, Means, Traffic, nothing};

/// Holds nothing.
pub(in crate::shared_node) static PAGE_CACHE: Arm = Arm {
    name: "page-cache",
    means: Means::Nothing,
    traffic: Traffic::BothSites,
    held: nothing,
};
