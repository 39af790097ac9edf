//! What was placed taken back.

use std::path::Path;

use hotset_live::{RunStatus, StateFolder};
use hotset_machine::ledger::Teardown;
use hotset_report::ReleasedView;

use crate::JobError;
use crate::error::{refuse, refused};

/// What became of all that was made.
#[derive(Debug)]
pub struct ReleaseResult {
    folder: StateFolder,
    had_state: bool,
    teardown: Teardown,
}

impl ReleaseResult {
    /// What reports show.
    pub fn view(&self) -> ReleasedView<'_> {
        ReleasedView {
            folder: self.folder.path(),
            had_state: self.had_state,
            teardown: &self.teardown,
        }
    }

    /// Whether nothing of it is left.
    ///
    /// # Errors
    /// Something is, which is to be said after the report.
    pub fn check(&self) -> Result<(), JobError> {
        match self.teardown.left.is_empty() {
            true => Ok(()),
            false => Err(refused(
                "part of what was placed is still there; release it again",
            )),
        }
    }
}

/// Takes back what is held by the state folder `state`.
///
/// # Errors
/// A folder that is none, or whose files are held by a runner that still runs.
pub fn run(state: &Path) -> Result<ReleaseResult, JobError> {
    let folder = StateFolder::at(state)?;
    folder.refuse_misspelt()?;
    if let Some(run) = RunStatus::load(&folder)?.filter(RunStatus::is_alive) {
        refuse!(
            "{}: `hotset run` (process {}) would hold the files again: stop it, and it releases everything",
            folder.path().display(),
            run.process.pid
        );
    }
    let had_state = folder.path().exists();
    let teardown = hotset_live::release(&folder)?;
    // A dead runner's: who has released what it left needs no more to be told of it.
    RunStatus::remove(&folder);
    Ok(ReleaseResult {
        folder,
        had_state,
        teardown,
    })
}
