//! Why jobs cannot be read or simulated.

use std::path::{Path, PathBuf};

use crate::storage::StorageError;

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

impl JobFileError {
    /// What opening or reading the file at `path` failed with.
    pub(super) fn unreadable(path: &Path, source: std::io::Error) -> Self {
        let path = path.to_owned();
        Self::Unreadable { path, source }
    }

    /// What is wrong in a line of the file at `path`.
    pub(super) fn in_line(path: &Path, line: usize, message: impl Into<String>) -> Self {
        Self::Line {
            path: path.to_owned(),
            line,
            message: message.into(),
        }
    }
}

/// Why jobs cannot be simulated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// Their files cannot be stored. The message has all that is said of it, and is not its cause besides.
    #[error("the jobs' {0}")]
    Storage(StorageError),
    /// A job sends what it reads, and nothing is known of that.
    #[error("{job}: sends what it reads, {}", .lack)]
    NotSent {
        /// The job.
        job: String,
        /// What is missing, and what mends it.
        lack: &'static str,
    },
    /// A job maps files or sends them, which takes a page cache.
    #[error(
        "{job}: maps files or sends what it reads, and clients of a parallel file system have no page cache for that; write ioengine=psync"
    )]
    NeedsCache {
        /// The job.
        job: String,
    },
    /// The same on a mount that the profile was measured on.
    #[error(
        "{job}: maps files or sends what it reads, and the page cache keeps nothing of the profile's mount for that; write ioengine=psync"
    )]
    NeedsCacheOfMount {
        /// The job.
        job: String,
    },
    /// The profile's file system has a journal that it never has.
    #[error(
        "the profile has {file_system} with the journal `{journal}`, which {file_system} does not have; write --set file_system.journal=ordered"
    )]
    NoSuchJournal {
        /// The file system.
        file_system: &'static str,
        /// The journal.
        journal: &'static str,
    },
    /// A job reads or writes too many blocks at random.
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

impl From<StorageError> for SimulationError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}
