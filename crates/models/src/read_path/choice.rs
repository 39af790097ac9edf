//! The policies that a profile names.

use hotset_cache::{CacheError, LinuxPageCache, PAGE_BYTES};
use hotset_scenario::{PageCacheKind, ReadAheadKind, Reading};

use super::{
    Adaptive, Advice, MultiGenerational, PageCachePolicy, ReadAhead, ReadAheadPolicy, TwoLists,
    TwoWindows,
};

/// After so long without an access a page of [`TwoLists`] goes back to the inactive queue. Linux has no such time, and the
/// dissertation gives none: an assumption, that of the net `ext3-read`.
const UNUSED_NS: u64 = 30_000_000_000;

/// Whether readers' pages must be followed one by one.
pub(super) fn goes_by_pages(reading: &Reading) -> bool {
    reading.page_cache == PageCacheKind::TwoQueues || reading.read_ahead != ReadAheadKind::OnDemand
}

/// An empty page cache for `objects` of so many pages each.
///
/// # Errors
/// Objects of more than 16 TiB together.
pub(super) fn page_cache(
    kind: PageCacheKind,
    memory_bytes: u64,
    objects: &[u64],
) -> Result<Box<dyn PageCachePolicy>, CacheError> {
    let pages = memory_bytes / PAGE_BYTES;
    Ok(match kind {
        PageCacheKind::Linux => Box::new(LinuxPageCache::new(pages, objects)?),
        PageCacheKind::MultiGenerational => Box::new(MultiGenerational::new(pages, objects)),
        PageCacheKind::TwoQueues => Box::new(TwoLists::new(pages, UNUSED_NS)),
    })
}

/// The state of a file of `file_bytes` just opened, whose reader has told the kernel `advice`. Its device takes requests of
/// `request_bytes`.
pub(crate) fn read_ahead(
    reading: &Reading,
    request_bytes: u64,
    advice: Advice,
    file_bytes: u64,
) -> Box<dyn ReadAheadPolicy> {
    let most = reading.read_ahead_bytes;
    // `ra_pages`, which `posix_fadvise` changed before 2.6.23 alike (`mm/fadvise.c`).
    let advised = match advice {
        Advice::Normal | Advice::Around => most,
        Advice::Sequential => most.saturating_mul(2),
        Advice::Random => 0,
    };
    match reading.read_ahead {
        ReadAheadKind::OnDemand => Box::new(ReadAhead::new(most, request_bytes, advice)),
        ReadAheadKind::TwoWindows => Box::new(TwoWindows::new(advised, file_bytes)),
        ReadAheadKind::Adaptive => Box::new(Adaptive::new(advised)),
    }
}
