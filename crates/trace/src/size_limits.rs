//! Bounds on sizes, so that whoever adds them up need not fear an overflow.

use crate::{NO_OBJECT, Requests};

/// Largest size of a file or response, in bytes: 1 PiB, 64 times the largest file of ext4. A log that
/// says more is damaged or read in the wrong format.
pub(crate) const MAX_OBJECT_BYTES: u64 = 1 << 50;

/// Most bytes that the files of a trace, what is read of them in all, and its responses may each come to.
pub const MAX_TOTAL_BYTES: u64 = 1 << 63;

/// Whether files of these sizes stay within [`MAX_TOTAL_BYTES`], and so do the `objects` read of them.
pub(crate) fn files_fit(sizes: &[u64], objects: &[u32]) -> bool {
    let largest = sizes.iter().copied().max().unwrap_or(0);
    let count = sizes.len().max(objects.len()) as u64;
    // Nearly every trace is told by the product; the sums are looked up only for the rest.
    let surely = largest
        .checked_mul(count)
        .is_some_and(|bytes| bytes <= MAX_TOTAL_BYTES);
    surely || {
        let read = objects.iter().filter(|&&object| object != NO_OBJECT);
        fits(sizes.iter().copied()) && fits(read.map(|&object| sizes[object as usize]))
    }
}

/// Whether the responses stay within [`MAX_TOTAL_BYTES`].
pub(crate) fn responses_fit(requests: &Requests) -> bool {
    fits(requests.bytes.iter().copied())
}

fn fits(sizes: impl Iterator<Item = u64>) -> bool {
    sizes.map(u128::from).sum::<u128>() <= u128::from(MAX_TOTAL_BYTES)
}
