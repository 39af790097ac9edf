//! Whether a trace that is to be made up fits into memory.

use hotset_machine::memory;

use crate::JobError;
use crate::error::refuse;

/// Memory that making and writing a trace takes, per request and per file: runs took 400 MB for 10 million
/// requests (of 10 000 files) and 278 MB for 5 million files (with 1000 requests).
const REQUEST_BYTES: u64 = 40;
const OBJECT_BYTES: u64 = 56;

/// Refuses a trace of so many requests for so many files that does not fit into the machine's memory, rather than being
/// killed for it.
///
/// # Errors
/// [`JobError::Refused`](crate::JobError::Refused) with what it would take.
pub fn check_memory_for(requests: u64, objects: u64) -> Result<(), JobError> {
    let needed = requests
        .saturating_mul(REQUEST_BYTES)
        .saturating_add(objects.saturating_mul(OBJECT_BYTES));
    match memory::available_bytes() {
        Ok(available) if needed > available => refuse!(
            "{requests} requests for {objects} files take about {} MB of memory to generate, {} MB are \
             available; generate fewer",
            needed / 1_000_000,
            available / 1_000_000
        ),
        _ => Ok(()),
    }
}
