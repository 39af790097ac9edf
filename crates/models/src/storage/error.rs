//! Why files cannot be stored.

use hotset_cache::CacheError;

/// Why files cannot be stored.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StorageError {
    /// They are too large.
    #[error("files are too large to be followed: {}; give smaller sizes or larger blocks", pages(.0))]
    TooLarge(CacheError),
    /// They do not fit on the profile's device.
    #[error(
        "files take {} KiB, and the profile's device has {} KiB; give smaller sizes or a larger capacity_bytes",
        .needed_bytes.div_ceil(1 << 10), .capacity_bytes >> 10
    )]
    LargerThanDevice {
        /// What they take.
        needed_bytes: u64,
        /// What the device has.
        capacity_bytes: u64,
    },
    /// No machine has them.
    #[error("files are on no server; name one")]
    NoServer,
}

/// How far beyond the limit.
fn pages(error: &CacheError) -> String {
    match error {
        CacheError::TooManyPages { pages, most } => {
            format!("they have {pages} pages, and at most {most} can be")
        }
        other => other.to_string(),
    }
}

impl From<CacheError> for StorageError {
    /// The message has all that is said of it, and is not its cause besides.
    fn from(error: CacheError) -> Self {
        Self::TooLarge(error)
    }
}
