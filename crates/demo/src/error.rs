//! What can go wrong with the demo.

use hotset_live::LiveError;
use hotset_machine::MachineError;
use hotset_replay::{ReplayError, RequestError};
use hotset_workload::file_tree::FileTreeError;

/// An error of the demo; its message names the thing and the fix where one is known.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DemoError {
    /// There is no folder to serve files from.
    #[error("no folder's files can be read past the page cache: {}", .0.join("; "))]
    NoFolder(Vec<String>),
    /// The machine refuses something.
    #[error(transparent)]
    Machine(#[from] MachineError),
    /// The files of the sites cannot be written.
    #[error(transparent)]
    Files(#[from] FileTreeError),
    /// The plan cannot be applied or taken back.
    #[error(transparent)]
    Live(#[from] LiveError),
    /// A single request has no usable answer.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The requests cannot be sent.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// What was measured is of no use.
    #[error("{0}")]
    Unusable(String),
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
}
