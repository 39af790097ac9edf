//! A folder that appears whole or not at all: written beside its place, then renamed.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::error::FolderError;
use super::manifest::read_manifest;

/// What to do when the target exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Existing {
    /// Refuse.
    Refuse,
    /// Replace it if it is a trace folder; refuse anything else.
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
    place: TempDir,
}

impl Staging {
    /// Makes room beside `target`.
    pub fn begin(target: &Path, existing: Existing) -> Result<Staging, FolderError> {
        refuse_foreign(target, existing)?;
        let staging = Staging {
            target: target.to_owned(),
            existing,
            place: temporary_beside(target)?,
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

fn temporary_beside(target: &Path) -> Result<TempDir, FolderError> {
    let parent = match target.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    tempfile::Builder::new()
        .prefix(&format!(".{name}."))
        .tempdir_in(parent)
        .map_err(FolderError::io(target, "create"))
}

fn refuse_foreign(target: &Path, existing: Existing) -> Result<(), FolderError> {
    if fs::symlink_metadata(target).is_err() {
        return Ok(());
    }
    match existing {
        Existing::Refuse => Err(FolderError::Exists(target.to_owned())),
        Existing::Replace => read_manifest(target).map(drop),
    }
}
