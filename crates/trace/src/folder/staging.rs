//! A folder that appears whole or not at all: written beside its place, then renamed.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use hotset_machine::temporary::{TemporaryFolder, sweep_unlocked};

use super::error::FolderError;
use super::manifest::{MANIFEST_FILE, read_manifest};
use super::schema::{CLIENTS_FILE, OBJECTS_FILE, REQUESTS_FILE};

/// What to do when the target exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse.
    Refuse,
    /// Replace it if it is a trace folder, damaged or not; refuse anything else.
    Replace,
}

/// The complete folder inside the staging folder. The latter is readable by its owner only, the
/// former as any new folder is.
const NEW: &str = "new";
/// Where a replaced folder waits for deletion.
const OLD: &str = "old";

/// A folder that is being written.
pub(super) struct Staging {
    target: PathBuf,
    existing: Existing,
    /// Removed on drop, with all that is in it.
    place: TemporaryFolder,
}

impl Staging {
    /// Makes room beside `target`.
    pub fn begin(target: &Path, existing: Existing) -> Result<Staging, FolderError> {
        let place = temporary_beside(target)?;
        refuse_foreign(target, existing)?;
        let staging = Staging {
            target: target.to_owned(),
            existing,
            place,
        };
        let folder = staging.folder();
        fs::create_dir(&folder).map_err(FolderError::io(&folder, "create"))?;
        Ok(staging)
    }

    /// Where the folder is in the end.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Where its files are written until then.
    pub fn folder(&self) -> PathBuf {
        self.place.path().join(NEW)
    }

    /// Moves the folder to its place.
    pub fn commit(self) -> Result<(), FolderError> {
        let target = &self.target;
        refuse_foreign(target, self.existing)?;
        let old = self.place.path().join(OLD);
        let replaced = target.exists();
        if replaced {
            fs::rename(target, &old).map_err(FolderError::io(target, "replace"))?;
        }
        fs::rename(self.folder(), target).map_err(|source| {
            if replaced {
                // The first failure is the one to report; the old folder is still in `old` if this one fails too.
                let _ = fs::rename(&old, target);
            }
            FolderError::io(target, "create")(source)
        })
    }
}

fn temporary_beside(target: &Path) -> Result<TemporaryFolder, FolderError> {
    // Killed between two renames, a process has left nothing at the target: what it was about to replace goes back.
    let put_back = |left: &Path| {
        if fs::symlink_metadata(target).is_err() {
            let _ = fs::rename(left.join(OLD), target);
        }
    };
    sweep_unlocked(target, is_room, put_back);
    TemporaryFolder::beside(target, put_back).map_err(FolderError::io(target, "create"))
}

fn refuse_foreign(target: &Path, existing: Existing) -> Result<(), FolderError> {
    if fs::symlink_metadata(target).is_err() {
        return Ok(());
    }
    match existing {
        Existing::Refuse => Err(FolderError::Exists(target.to_owned())),
        Existing::Replace if is_damaged_trace(target) => Ok(()),
        Existing::Replace => read_manifest(target).map(drop),
    }
}

/// Files of a trace folder.
const FILES: [&str; 4] = [MANIFEST_FILE, REQUESTS_FILE, OBJECTS_FILE, CLIENTS_FILE];

/// Whether `folder` has files of a trace and nothing else, whatever is left of them.
fn is_damaged_trace(folder: &Path) -> bool {
    names_in(folder).is_some_and(|names| !names.is_empty() && are_among(&names, &FILES))
}

/// Whether `folder` holds what a [`Staging`] puts into its place and nothing else.
fn is_room(folder: &Path) -> bool {
    let is_trace = |inside: &str| match names_in(&folder.join(inside)) {
        Some(names) => are_among(&names, &FILES),
        None => !folder.join(inside).exists(),
    };
    let names = names_in(folder);
    names.is_some_and(|names| are_among(&names, &[NEW, OLD])) && is_trace(NEW) && is_trace(OLD)
}

fn names_in(folder: &Path) -> Option<Vec<OsString>> {
    let entries = fs::read_dir(folder).ok()?;
    entries.map(|entry| Some(entry.ok()?.file_name())).collect()
}

fn are_among(names: &[OsString], known: &[&str]) -> bool {
    names
        .iter()
        .all(|name| known.iter().any(|known| name == known))
}
