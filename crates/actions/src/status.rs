//! Whether what was placed is in memory.

use std::path::Path;

use hotset_live::{RunStatus, StateFolder, Status};
use hotset_report::StatusView;

use crate::JobError;

/// What was found in a state folder.
#[derive(Debug)]
pub struct StatusResult {
    status: Status,
    daemon: Option<RunStatus>,
}

impl StatusResult {
    /// Whether all is held as it should be.
    pub fn is_sound(&self) -> bool {
        self.status.is_sound()
    }

    /// What reports show.
    pub fn view(&self) -> StatusView<'_> {
        StatusView {
            status: &self.status,
            daemon: self.daemon.as_ref(),
        }
    }
}

/// Looks at what is held by the state folder `state`.
///
/// # Errors
/// A folder that cannot be read, that is none, or whose name is likely to be misspelt.
pub fn run(state: &Path) -> Result<StatusResult, JobError> {
    let folder = StateFolder::at(state)?;
    folder.refuse_misspelt()?;
    look(&folder)
}

pub(crate) fn look(folder: &StateFolder) -> Result<StatusResult, JobError> {
    let mut status = hotset_live::status(folder)?;
    let daemon = RunStatus::load(folder)?;
    let dead = daemon.as_ref().filter(|daemon| !daemon.is_alive());
    status.faults.extend(dead.map(|daemon| {
        format!(
            "`hotset run` (process {}) is dead: nothing follows the logs; start it again, or release what it has left",
            daemon.process.pid
        )
    }));
    Ok(StatusResult { status, daemon })
}
