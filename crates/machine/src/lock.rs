//! Locks on things of the machine, such as memory groups, that other users can neither take nor keep from us.
//!
//! Whoever can open a file can lock it (flock(2)), and everybody can open the folders of control groups. So root's locks are
//! files of their own, in a folder that root alone can enter.

use crate::{MachineError, OnFile, namespace};
use rustix::fs::{FlockOperation, flock};
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{ErrorKind, Seek as _, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};

/// It is empty after a new start of the machine, when nobody holds a lock (file-hierarchy(7)).
const FOLDER: &str = "/run/hotset";

/// Who may have a lock beside its holder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Nobody.
    Alone,
    /// Others that share it.
    Shared,
}

/// A lock, or who has it already, in the holder's words.
#[derive(Debug)]
pub enum Lock {
    /// It is held for as long as the file is open.
    Ours(File),
    /// Somebody else has it.
    Others(String),
}

/// Locks the folder or file at `path`, without waiting. `holder` is told to others who ask for the lock.
///
/// # Errors
/// When there is no such path, or the lock's file cannot be written.
pub fn lock(path: &Path, kind: Kind, holder: &str) -> Result<Lock, MachineError> {
    let operation = match kind {
        Kind::Alone => FlockOperation::NonBlockingLockExclusive,
        Kind::Shared => FlockOperation::NonBlockingLockShared,
    };
    let Some(private) = lock_file(path)? else {
        let file = File::open(path).on("open", path)?;
        return Ok(match flock(&file, operation) {
            Ok(()) => Lock::Ours(file),
            Err(_) => Lock::Others("another process".to_owned()),
        });
    };
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).mode(0o600);
    let mut file = options.open(&private).on("open", &private)?;
    if flock(&file, operation).is_err() {
        // It may be about to be written: then nobody is named.
        return Ok(Lock::Others(
            fs::read_to_string(&private).unwrap_or_default(),
        ));
    }
    let written = file.set_len(0).and_then(|()| file.rewind());
    let written = written.and_then(|()| file.write_all(holder.as_bytes()));
    written.on("write", &private)?;
    Ok(Lock::Ours(file))
}

/// The file that stands for `path`. None for users who have no folder of their own there: they lock the thing itself.
fn lock_file(path: &Path) -> Result<Option<PathBuf>, MachineError> {
    if !rustix::process::geteuid().is_root() || !namespace::is_initial_user() {
        return Ok(None);
    }
    let folder = Path::new(FOLDER);
    make_private(folder)?;
    let metadata = fs::metadata(path).on("look up", path)?;
    let name = format!("lock-{:x}-{:x}", metadata.dev(), metadata.ino());
    Ok(Some(folder.join(name)))
}

/// Makes a folder that only its owner can enter; those above it are as others are.
pub(crate) fn make_private(folder: &Path) -> Result<(), MachineError> {
    if let Some(above) = folder.parent() {
        fs::create_dir_all(above).on("make", above)?;
    }
    match DirBuilder::new().mode(0o700).create(folder) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            fs::set_permissions(folder, Permissions::from_mode(0o700)).on("close", folder)
        }
        other => other.on("make", folder),
    }
}
