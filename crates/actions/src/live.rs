//! The processes that hold files, which applying a plan starts.

use std::ffi::OsString;
use std::path::Path;

use hotset_live::{StateFolder, worker};

use crate::JobError;

/// Keeps what is placed, with workers that `work` starts; the state folder is put behind it.
///
/// # Errors
/// When it cannot begin, or can no longer keep its state.
pub fn guard(state: &Path, work: &[OsString]) -> Result<(), JobError> {
    let folder = StateFolder::at(state)?;
    let folder_name = OsString::from(folder.path());
    let work: Vec<OsString> = work.iter().cloned().chain([folder_name]).collect();
    Ok(hotset_live::guard(&folder, &work)?)
}

/// Holds files; with `withdraw`, copies are taken away when the guardian is gone.
///
/// # Errors
/// When it is told nothing it can do.
pub fn work(state: &Path, withdraw: bool) -> Result<(), JobError> {
    Ok(worker::serve(&StateFolder::at(state)?, withdraw)?)
}
