//! Why fio cannot be run on jobs.

use std::io;
use std::path::PathBuf;

use hotset_machine::MachineError;
use hotset_models::fio::SimulationError;
use hotset_probe::ProbeError;

/// Why fio cannot be run on jobs, or they cannot be simulated beside it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FioError {
    /// There is no fio.
    #[error("fio is not installed; on Debian, apt-get install fio")]
    NoFio,
    /// The directory is not there, or not a folder.
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
    /// The jobs' files do not fit.
    #[error(
        "{}: the jobs need {} MiB for a while, with what is measured beside them, and {} MiB are free; free some, or name another folder",
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
    /// All jobs trim.
    #[error(
        "{}:{line}: `[{job}]` trims, and so do all other jobs, which is not modelled: nothing is left to compare; add a job that reads or \
         writes, such as rw=randwrite",
        .path.display()
    )]
    OnlyTrims {
        /// The first job file.
        path: PathBuf,
        /// The line of its first job's mode.
        line: usize,
        /// Its first job.
        job: String,
    },
    /// A job goes past the page cache, and the folder's file system has no files for that.
    #[error(
        "{}:{line}: `[{job}]` has direct=1, and the file system of --on takes no such files (O_DIRECT); take direct away",
        .path.display()
    )]
    NoDirect {
        /// The job file.
        path: PathBuf,
        /// The line of the job.
        line: usize,
        /// The job.
        job: String,
    },
    /// A job reads or writes a file outside the directory.
    #[error(
        "{}:{line}: `[{job}]` {deed} {name}, which may be outside the folder of --on; give a name without slashes",
        .path.display()
    )]
    Elsewhere {
        /// The job file.
        path: PathBuf,
        /// The line of its section.
        line: usize,
        /// The job.
        job: String,
        /// What it does: `reads`, `writes`.
        deed: &'static str,
        /// The file.
        name: String,
    },
    /// What is in the place of a job's file leads elsewhere.
    #[error("{}: is a link, a device or a file with another name besides, which jobs would use; remove it, and try again", .0.display())]
    NotItsOwn(PathBuf),
    /// fio ends with an error.
    #[error("fio failed on {job}: {message}")]
    Failed {
        /// The first of the jobs it ran.
        job: String,
        /// What it says.
        message: String,
    },
    /// The machine refuses a file or program, or does not tell something.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// Copying cannot be measured.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A job cannot be simulated.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The caller no longer wants to know.
    #[error("interrupted")]
    Interrupted,
}
