//! What the demo is asked to measure.

use crate::DemoError;
use hotset_live::StateFolder;
use hotset_scenario::Placement;
use hotset_trace::Trace;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// What is to be measured, and where.
pub struct Job<'a> {
    /// The sites.
    pub trace: &'a Trace,
    /// The plan, made from the first part of the trace.
    pub plan: &'a Placement,
    /// A folder that [`workplace`](crate::workplace) has found.
    pub folder: &'a Path,
    /// The command that starts a guardian of [`Job::state`].
    pub guardian: &'a [OsString],
    /// Requests at most; as many as there is time for where it is not said.
    pub most_requests: Option<usize>,
    /// Whether to stop, taking everything back.
    pub interrupted: &'a (dyn Fn() -> bool + Sync),
}

impl Job<'_> {
    /// The folder in which is written down what is held.
    ///
    /// # Errors
    /// When the calling process has no working folder.
    pub fn state(folder: &Path) -> Result<StateFolder, DemoError> {
        Ok(StateFolder::at(&folder.join("state"))?)
    }
}

/// Where the files of the sites are, in a folder for each.
pub(crate) fn files_of(folder: &Path) -> PathBuf {
    folder.join("files")
}
