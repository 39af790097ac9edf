//! Bounds on what any policy can reach.

use crate::{CacheError, scan};

/// No policy can have more hits than this.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HitBound {
    /// Requests in the trace.
    pub requests: u64,
    /// At most this many can be hits.
    pub hits: u64,
}

/// An upper bound on the hits of any policy in a cache of `capacity` units: PFOO-L of Berger,
/// Beckmann, Harchol-Balter: "Practical bounds on optimal caching with variable object sizes",
/// Proc. ACM Meas. Anal. Comput. Syst. 2(2), 2018.
///
/// To hit, an object must take its size from one request for it to the next; together that can be
/// no more than the capacity over the whole trace. Counting the cheapest such spans until that is
/// used up ignores how full the cache is at each moment, so no schedule need exist that reaches the
/// bound. Takes 16 bytes per request and the time of a sort.
///
/// # Errors
/// [`CacheError::UnknownObject`] when a request's id has no size.
pub fn hit_bound(capacity: u64, requests: &[u32], sizes: &[u64]) -> Result<HitBound, CacheError> {
    scan::check_ids(requests, sizes.len())?;
    let mut costs = span_costs(capacity, requests, sizes);
    costs.sort_unstable();
    let mut left = u128::from(capacity).saturating_mul(requests.len() as u128);
    let hits = costs
        .iter()
        .take_while(|&&cost| spend(&mut left, cost))
        .count() as u64;
    Ok(HitBound {
        requests: requests.len() as u64,
        hits,
    })
}

/// Size times length of each span between requests for the same object; what exceeds the capacity
/// can never hit.
fn span_costs(capacity: u64, requests: &[u32], sizes: &[u64]) -> Vec<u128> {
    let mut last = vec![None; sizes.len()];
    let mut costs = Vec::with_capacity(requests.len());
    for (position, &id) in requests.iter().enumerate() {
        let size = sizes[id as usize];
        let before = last[id as usize].replace(position);
        costs.extend(
            before
                .filter(|_| size <= capacity)
                .map(|from| u128::from(size) * (position - from) as u128),
        );
    }
    costs
}

fn spend(left: &mut u128, cost: u128) -> bool {
    left.checked_sub(cost).map(|rest| *left = rest).is_some()
}
