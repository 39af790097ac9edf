//! What the view of a daemon is given.

use hotset_live::RunStatus;

use crate::StatusView;

/// A daemon that runs.
pub struct RunView<'a> {
    /// What it holds, and what it told.
    pub status: StatusView<'a>,
    /// What it has told last.
    pub daemon: &'a RunStatus,
    /// Memory of the machine that programs can have without swapping, and all of it. Bytes.
    pub available_bytes: u64,
    /// See above.
    pub total_bytes: u64,
}
