//! Running a trace through a policy.

use crate::{CacheError, Counts, Policy, Stop};

/// Requests that a policy is told of at a time ([`Policy::read_ahead`]): enough to fill the memory
/// reads that a processor has under way, few enough that what they read stays in its first cache.
const AHEAD: usize = 64;

/// Runs `requests` through `policy` and counts the hits, until `stop` is asked. Object `id` takes `sizes[id]`.
/// `observe(index, hit)` is called after each request, in order.
///
/// Scans of consecutive parts of a trace with the same policy continue each other: adding up their
/// counts gives the scan of the whole.
///
/// # Errors
/// [`CacheError::UnknownObject`] when a request's id has no size or exceeds what the policy was
/// made for; nothing has been scanned then. [`CacheError::Interrupted`].
pub fn scan<P: Policy>(
    policy: &mut P,
    requests: &[u32],
    sizes: &[u64],
    stop: Option<&Stop>,
    mut observe: impl FnMut(usize, bool),
) -> Result<Counts, CacheError> {
    check_ids(requests, sizes.len().min(policy.objects()))?;
    let mut counts = Counts::default();
    for (block, ids) in requests.chunks(AHEAD).enumerate() {
        check(stop)?;
        policy.read_ahead(ids);
        let sizes = sizes_of(ids, sizes);
        for (place, (&id, size)) in ids.iter().zip(sizes).enumerate() {
            let hit = policy.access(id, size);
            counts.add(hit, size);
            observe(block * AHEAD + place, hit);
        }
    }
    Ok(counts)
}

/// Ends a scan that is asked to.
#[inline]
pub(crate) fn check(stop: Option<&Stop>) -> Result<(), CacheError> {
    match stop.is_some_and(Stop::is_asked) {
        true => Err(CacheError::Interrupted),
        false => Ok(()),
    }
}

/// The sizes of `ids`, the rest 0.
#[inline]
fn sizes_of(ids: &[u32], sizes: &[u64]) -> [u64; AHEAD] {
    let mut found = [0; AHEAD];
    for (size, &id) in found.iter_mut().zip(ids) {
        *size = sizes[id as usize];
    }
    found
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
