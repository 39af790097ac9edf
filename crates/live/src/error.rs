//! What can go wrong as a whole; what concerns single files is a [`crate::Refusal`].

use hotset_machine::MachineError;
use hotset_plan::PlanError;
use hotset_trace::read::ReadError;
use std::io;
use std::path::PathBuf;

/// An error of placing; its message names the thing and the fix where one is known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// Of the machine.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// Something of the system's could not be done.
    #[error("cannot {action} {what}: {source}")]
    System {
        /// What was tried.
        action: &'static str,
        /// On what.
        what: String,
        /// The system's reason.
        source: io::Error,
    },
    /// A server that cannot be found.
    #[error("--server {argument}: {problem}")]
    Server {
        /// What was given.
        argument: String,
        /// What is wrong with it, and the fix.
        problem: String,
    },
    /// A state folder that cannot be used.
    #[error("{}: {problem}", folder.display())]
    State {
        /// The folder.
        folder: PathBuf,
        /// What is wrong with it, and the fix.
        problem: String,
    },
    /// Logs that cannot be followed.
    #[error(transparent)]
    Log(#[from] ReadError),
    /// What cannot be chosen from.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// What the guardian said when it could not do what it was asked to.
    #[error("{0}")]
    Guardian(String),
}

impl LiveError {
    pub(crate) fn system(
        action: &'static str,
        what: impl Into<String>,
        source: impl Into<io::Error>,
    ) -> Self {
        Self::System {
            action,
            what: what.into(),
            source: source.into(),
        }
    }
}
