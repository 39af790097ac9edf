//! Why works cannot be read or simulated.

use std::path::{Path, PathBuf};

/// Why a work cannot be read or simulated.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WorkError {
    /// Its file cannot be read.
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
    /// The caller no longer wants to know.
    #[error("interrupted")]
    Interrupted,
}

impl WorkError {
    /// What reading the file at `path` failed with.
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
