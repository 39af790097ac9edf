//! What can go wrong with a trace folder.

use std::io;
use std::path::{Path, PathBuf};

use parquet::errors::ParquetError;

/// Why a trace folder could not be written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The target exists and may not be replaced.
    #[error("{}: already exists; choose another name, or have it replaced", .0.display())]
    Exists(PathBuf),
    /// The path is not a trace folder: `trace.json` is missing or is not hotset's.
    #[error("{}: not a trace folder ({detail}); import logs to make one", path.display())]
    NotATrace {
        /// The folder.
        path: PathBuf,
        /// What is missing.
        detail: String,
    },
    /// The operating system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, as a verb.
        action: &'static str,
        /// Why not.
        source: io::Error,
    },
    /// A Parquet file could not be written.
    #[error("{}: cannot write: {source}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why not.
        source: ParquetError,
    },
    /// A file of the folder is damaged or was not written by hotset.
    #[error("{}: {detail}; the folder is damaged, import the logs again and have it replaced", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        detail: String,
    },
    /// The rows to be written contradict the tables that come with them.
    #[error("{}: {detail}; nothing was written", path.display())]
    Inconsistent {
        /// The folder that was to be written.
        path: PathBuf,
        /// What contradicts what.
        detail: String,
    },
}

impl FolderError {
    pub(super) fn io(path: &Path, action: &'static str) -> impl FnOnce(io::Error) -> Self {
        move |source| Self::Io {
            path: path.to_owned(),
            action,
            source,
        }
    }

    pub(super) fn write(path: &Path) -> impl Fn(ParquetError) -> Self {
        move |source| Self::Write {
            path: path.to_owned(),
            source,
        }
    }

    pub(super) fn damaged(path: &Path, detail: impl ToString) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            detail: detail.to_string(),
        }
    }
}
