//! The policy of the page cache that a profile names.

use hotset_cache::{CacheError, LinuxPageCache, PAGE_BYTES};
use hotset_scenario::{PageCacheKind, ReadAheadKind, Reading};

use super::divided::Divided;
use super::policy::PageCachePolicy;
use super::{MultiGenerational, TwoQueues};

/// After so long without an access a page of [`TwoQueues`] goes back to the inactive queue. Linux has no such time, and the
/// dissertation gives none: an assumption.
const UNUSED_NS: u64 = 30_000_000_000;

/// Whether readers' pages must be followed one by one.
pub(super) fn goes_by_pages(reading: &Reading) -> bool {
    reading.page_cache == PageCacheKind::TwoQueues || reading.read_ahead != ReadAheadKind::OnDemand
}

/// An empty page cache for objects, each of a part of `memory` and of so many pages.
///
/// # Errors
/// Objects of more than 16 TiB together.
pub(super) fn page_cache(
    kind: PageCacheKind,
    memory: &[u64],
    objects: &[(u32, u64)],
) -> Result<Box<dyn PageCachePolicy>, CacheError> {
    let policy = |memory_bytes, objects: &[u64]| policy(kind, memory_bytes, objects);
    if let &[all] = memory {
        let pages: Vec<u64> = objects.iter().map(|it| it.1).collect();
        return policy(all, &pages);
    }
    let divided = Divided::new(memory, objects.iter().copied(), policy)?;
    Ok(Box::new(divided))
}

/// Of each part of memory whether pages stay there until they are dropped: the part has room for all of its objects. [`TwoQueues`] has pages leave
/// that nobody uses.
pub(super) fn keeps(kind: PageCacheKind, memory: &[u64], objects: &[(u32, u64)]) -> Vec<bool> {
    let mut wanted = vec![0; memory.len()];
    for &(part, pages) in objects {
        wanted[part as usize] += pages;
    }
    let parts = memory.iter().zip(wanted);
    let has_room = parts.map(|(bytes, pages): (_, u64)| pages <= bytes / PAGE_BYTES);
    has_room
        .map(|has_room| has_room && kind != PageCacheKind::TwoQueues)
        .collect()
}

fn policy(
    kind: PageCacheKind,
    memory_bytes: u64,
    objects: &[u64],
) -> Result<Box<dyn PageCachePolicy>, CacheError> {
    let pages = memory_bytes / PAGE_BYTES;
    Ok(match kind {
        PageCacheKind::Linux => Box::new(LinuxPageCache::new(pages, objects)?),
        PageCacheKind::MultiGenerational => Box::new(MultiGenerational::new(pages, objects)),
        PageCacheKind::TwoQueues => Box::new(TwoQueues::new(pages, UNUSED_NS)),
    })
}
