//! Files in whole pages of memory.

pub(crate) use hotset_cache::PAGE_BYTES;

use crate::kinds::pollution::workload::CellWorkload;

/// Bytes of the pages that a file takes.
pub(crate) fn page_bytes(bytes: u64) -> u64 {
    bytes.div_ceil(PAGE_BYTES).max(1) * PAGE_BYTES
}

/// The same of several files together.
pub(crate) fn page_bytes_of(workload: &CellWorkload, objects: &[u32]) -> u64 {
    let objects = objects.iter();
    objects
        .map(|&object| page_bytes(workload.size(object)))
        .sum()
}

/// The objects of `ranking` that fit into `budget_bytes`, in its order.
pub(crate) fn within(
    workload: &CellWorkload,
    ranking: impl IntoIterator<Item = u32>,
    budget_bytes: u64,
) -> Vec<u32> {
    let mut left = budget_bytes;
    let fits = |object: &u32| {
        let bytes = page_bytes(workload.size(*object));
        let fits = bytes <= left;
        left -= if fits { bytes } else { 0 };
        fits
    };
    ranking.into_iter().filter(fits).collect()
}
