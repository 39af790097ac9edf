//! What a node's processors are as a station.

use crate::calculate::network::Order;
use crate::tiers::Processors;

/// How they serve.
pub(super) fn order(processors: Processors) -> Order {
    match (processors.are_shared(), servers(processors)) {
        (false, 1) => Order::InOrder,
        (_, servers) => Order::Shared { servers },
    }
}

/// How many they are: a fraction that is left slows all alike.
pub(super) fn servers(processors: Processors) -> u32 {
    processors.count.ceil().max(1.0) as u32
}

/// How many times as long as alone a piece of work has one of them, where all are busy.
pub(super) fn times_alone(processors: Processors) -> f64 {
    f64::from(servers(processors)) * processors.count.min(1.0) / processors.count
}
