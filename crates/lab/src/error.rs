//! What can go wrong in a lab.

use hotset_machine::MachineError;

/// An error of the lab; its message names the thing, what was tried and the fix where one is known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LabError {
    /// An error of the machine under it.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// Building failed, and part of what had been made is still there.
    #[error("{error}; still there: {}; the next start of the lab tries to remove it", left.join("; "))]
    Left {
        /// What failed.
        error: Box<LabError>,
        /// What could not be removed, and why.
        left: Vec<String>,
    },
    /// What is asked for makes no sense or is not there on this machine.
    #[error("{0}")]
    Unusable(String),
}
