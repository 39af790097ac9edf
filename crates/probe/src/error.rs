//! Why a directory cannot be measured.

use std::io;
use std::path::PathBuf;

use hotset_machine::MachineError;

/// Why a directory cannot be measured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// It is not there, or not a folder.
    #[error("{}: is not a folder; name one on the file system to be measured", .0.display())]
    NotAFolder(PathBuf),
    /// It takes no files.
    #[error("{}: files cannot be made in it: {source}; name a folder that this user may write to", .folder.display())]
    Unwritable {
        /// The directory.
        folder: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The files that are to be read do not fit.
    #[error(
        "{}: probing writes {} MiB for a while, and {} MiB are free; free some, or name a folder on another file system",
        .folder.display(), .needed_bytes >> 20, .free_bytes >> 20
    )]
    NoRoom {
        /// The directory.
        folder: PathBuf,
        /// What is written, bytes.
        needed_bytes: u64,
        /// What the file system gives this user, bytes.
        free_bytes: u64,
    },
    /// Pages of a file stay in the page cache, although those of others did not.
    #[error("{}: its pages stay in memory; end what else reads this folder, and try again", .0.display())]
    NotEvicted(PathBuf),
    /// Pages of a file do not stay in the page cache.
    #[error("{}: its pages do not stay in memory; give this process more of it, and try again", .0.display())]
    NotCached(PathBuf),
    /// The caller no longer wants to know.
    #[error("interrupted")]
    Interrupted,
    /// The machine refuses.
    #[error(transparent)]
    Machine(#[from] MachineError),
}
