//! Why jobs cannot be read or simulated.

use std::path::PathBuf;

use hotset_cache::CacheError;

/// Why a job file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JobFileError {
    /// It cannot be read.
    #[error("{}: cannot be read: {source}; name an existing text file", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// One of its lines cannot be used.
    #[error("{}:{line}: {message}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong, and what mends it.
        message: String,
    },
}

/// Why jobs cannot be simulated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// Their files are too large.
    #[error("the jobs' files are too large to be followed: {}; give smaller sizes or larger blocks", pages(.0))]
    TooLarge(CacheError),
    /// Their files do not fit on the profile's device.
    #[error(
        "the jobs' files take {} KiB, and the profile's device has {} KiB; give smaller sizes or a larger capacity_bytes",
        .needed_bytes.div_ceil(1 << 10), .capacity_bytes >> 10
    )]
    LargerThanDevice {
        /// What they take.
        needed_bytes: u64,
        /// What the device has.
        capacity_bytes: u64,
    },
    /// A job sends what it reads, and nothing is known of that.
    #[error("{job}: sends what it reads, {}", .lack)]
    NotSent {
        /// The job.
        job: String,
        /// What is missing, and what mends it.
        lack: &'static str,
    },
    /// A job reads too many blocks at random.
    #[error(
        "{job}: reads {blocks} blocks at random, and at most {most} can be followed; give a smaller size or a larger bs"
    )]
    TooManyBlocks {
        /// The job.
        job: String,
        /// Its blocks.
        blocks: u64,
        /// The limit.
        most: u64,
    },
    /// What is simulated takes longer than times can say.
    #[error(
        "the jobs take longer than a hundred years; give a shorter thinktime, a higher rate, a runtime, or a faster profile"
    )]
    TooLong,
    /// The caller no longer wants to know.
    #[error("interrupted")]
    Interrupted,
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

impl From<CacheError> for SimulationError {
    /// The message has all that is said of it, and is not its cause besides.
    fn from(error: CacheError) -> Self {
        Self::TooLarge(error)
    }
}
