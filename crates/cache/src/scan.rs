//! Running a trace through a policy.

use crate::{CacheError, Counts, Policy};

/// Runs `requests` through `policy` and counts the hits. Object `id` takes `sizes[id]`.
///
/// Scans of consecutive parts of a trace with the same policy continue each other: adding up their
/// counts gives the scan of the whole.
///
/// # Errors
/// [`CacheError::UnknownObject`] when a request's id has no size or exceeds what the policy was
/// made for; nothing has been scanned then.
pub fn scan<P: Policy>(
    policy: &mut P,
    requests: &[u32],
    sizes: &[u64],
) -> Result<Counts, CacheError> {
    scan_with(policy, requests, sizes, |_, _| {})
}

/// Like [`scan`], and calls `observe(index, hit)` after each request, in order.
///
/// # Errors
/// As [`scan`].
pub fn scan_with<P: Policy>(
    policy: &mut P,
    requests: &[u32],
    sizes: &[u64],
    mut observe: impl FnMut(usize, bool),
) -> Result<Counts, CacheError> {
    check_ids(requests, sizes.len().min(policy.objects()))?;
    let mut counts = Counts::default();
    for (index, &id) in requests.iter().enumerate() {
        let size = sizes[id as usize];
        let hit = policy.access(id, size);
        counts.add(hit, size);
        observe(index, hit);
    }
    Ok(counts)
}

/// Whether every request is for one of `objects` objects. The maximum of a column is found at the
/// speed of memory.
pub(crate) fn check_ids(requests: &[u32], objects: usize) -> Result<(), CacheError> {
    let highest = requests.iter().copied().max();
    if highest.is_none_or(|id| (id as usize) < objects) {
        return Ok(());
    }
    let unknown = requests
        .iter()
        .enumerate()
        .find(|&(_, &id)| id as usize >= objects);
    unknown.map_or(Ok(()), |(index, &id)| {
        Err(CacheError::UnknownObject { index, id, objects })
    })
}
