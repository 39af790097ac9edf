//! `hotset release`: takes back all that was placed, whatever became of who placed it.

use crate::{LiveError, StateFolder};
use hotset_machine::ledger::{self, Teardown};
use std::fs;

/// Kills the guardian of a folder and undoes what its ledger says. It holds for a guardian that was killed at any moment, and
/// after a new start of the machine. Where nothing is held, nothing is done.
///
/// # Errors
/// When the ledger cannot be read, or the guardian may not be killed.
pub fn release(folder: &StateFolder) -> Result<Teardown, LiveError> {
    if let Some(guardian) = ledger::owner(&folder.run())? {
        guardian.kill()?;
    }
    let recovery = ledger::recover(&folder.runs())?;
    let mut all = Teardown::default();
    for (_, teardown) in recovery.dead {
        all.removed.extend(teardown.removed);
        all.notes.extend(teardown.notes);
        all.left.extend(teardown.left);
    }
    // Only empty ones go.
    let _removed = fs::remove_dir(folder.runs());
    let _removed = fs::remove_dir(folder.path());
    Ok(all)
}
