//! Decoding bytes that may be damaged, without a panic reaching the caller.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use super::error::FolderError;

thread_local! {
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread decodes bytes that may be damaged. A panic is then no fault of the program: it is
/// caught and becomes [`FolderError::Damaged`], so that a panic hook has nothing to say about it.
pub fn is_decoding() -> bool {
    DECODING.get()
}

/// Runs a decoder on bytes that may be damaged. The `parquet` crate checks most of what it reads and
/// panics on some of the rest; for the caller both mean the same.
pub(super) fn guarded<T>(
    file: &Path,
    decode: impl FnOnce() -> Result<T, FolderError>,
) -> Result<T, FolderError> {
    DECODING.set(true);
    let decoded = catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(false);
    decoded.unwrap_or_else(|_| Err(FolderError::damaged(file, "its bytes make no sense")))
}
