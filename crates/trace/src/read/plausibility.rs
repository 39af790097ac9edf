//! Records that their format reads and that cannot be true: a damaged line, or a line in another format.

use crate::formats::{Record, Reject};
use crate::size_limits::MAX_OBJECT_BYTES;

/// Why `record` cannot be true; none where nothing speaks against it.
#[inline]
pub(super) fn implausible(record: &Record<'_>) -> Option<Reject> {
    let bytes = record.bytes.max(record.size);
    bytes
        .is_some_and(|bytes| bytes > MAX_OBJECT_BYTES)
        .then_some(Reject::BadSize)
}
