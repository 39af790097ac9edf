//! `hotset release`: takes back all that was placed, whatever became of who placed it.

use crate::{LiveError, StateFolder};
use hotset_machine::ledger::{self, Teardown};
use std::fs::File;
use std::thread;
use std::time::{Duration, Instant};

/// A guardian has a ledger, which names it, within milliseconds of its start.
const START_PATIENCE: Duration = Duration::from_secs(10);
const START_PAUSE: Duration = Duration::from_millis(5);

/// Kills the guardian of a folder and undoes what its ledger says. It holds for a guardian that was killed at any moment, and
/// after a new start of the machine. Where nothing is held, nothing is done.
///
/// # Errors
/// When the ledger cannot be read, or the guardian may not be killed.
pub fn release(folder: &StateFolder) -> Result<Teardown, LiveError> {
    let mut all = Teardown::default();
    if !folder.path().exists() {
        return Ok(all);
    }
    folder.check()?;
    let _lock = stop_guardian(folder)?;
    let recovery = ledger::recover(&folder.runs())?;
    if !recovery.live.is_empty() {
        return Err(ledger_is_locked(folder));
    }
    for (_, teardown) in recovery.dead {
        all.removed.extend(teardown.removed);
        all.notes.extend(teardown.notes);
        all.left.extend(teardown.left);
    }
    folder.remove_empty();
    Ok(all)
}

/// Its guardian is dead, so that somebody else must have it.
pub(crate) fn ledger_is_locked(folder: &StateFolder) -> LiveError {
    let ledger = folder.run().join("ledger");
    folder.refused(format!(
        "another process has locked {}, so that nothing was released: end that process (`fuser -v` names it)",
        ledger.display()
    ))
}

/// Kills the guardian, also one that is just starting. No other can start while the lock is held.
fn stop_guardian(folder: &StateFolder) -> Result<File, LiveError> {
    let give_up = Instant::now() + START_PATIENCE;
    loop {
        if let Some(guardian) = ledger::owner(&folder.run())? {
            guardian.kill()?;
        }
        if let Some(lock) = folder.lock()? {
            return Ok(lock);
        }
        if Instant::now() > give_up {
            return Err(folder.refused("is in use by a guardian that cannot be found"));
        }
        thread::sleep(START_PAUSE);
    }
}
