//! Temporary files and folders beside what they become.
//!
//! A process that is killed leaves them behind. Each is locked (`flock`) for as long as its process lives, so the next
//! one that writes the same name removes those that nobody holds any more, and no others. Where the file system knows no
//! locks, nothing is removed.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use tempfile::{NamedTempFile, TempDir};

use crate::procfs;

/// Bytes of a target's name that temporary names repeat; a name may have 255 in all.
const NAME_BYTES: usize = 200;
/// Random characters behind the prefix.
const RANDOM_BYTES: usize = 6;
/// A folder without a lock is left alone until nothing has changed in it for so long: a process in another container, or
/// on another machine, may still write to it.
const ABANDONED_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// A folder that is removed with all that is in it when dropped.
#[derive(Debug)]
pub struct TemporaryFolder {
    folder: TempDir,
    _lock: Option<File>,
}

impl TemporaryFolder {
    /// Makes one beside `target`, readable by its owner only. `rescue` sees what a killed process has left before it is
    /// removed.
    ///
    /// # Errors
    /// The folder that `target` is in takes no other.
    pub fn beside(target: &Path, rescue: impl Fn(&Path)) -> io::Result<Self> {
        sweep(target, rescue);
        loop {
            let folder = tempfile::Builder::new()
                .prefix(&prefix(target))
                .rand_bytes(RANDOM_BYTES)
                .tempdir_in(folder_of(target))?;
            let lock = File::open(folder.path());
            match lock.and_then(|lock| Ok((held(&lock, folder.path())?, lock))) {
                Ok((true, lock)) => {
                    let _lock = Some(lock);
                    return Ok(Self { folder, _lock });
                }
                // Another process took it for a leftover before it was locked.
                Ok((false, _)) => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(_) => {
                    return Ok(Self {
                        folder,
                        _lock: None,
                    });
                }
            }
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
}

/// An empty file beside `target` with these rights, removed when dropped unless it is kept.
///
/// # Errors
/// The folder that `target` is in takes no file.
pub fn file_beside(target: &Path, rights: Permissions) -> io::Result<NamedTempFile> {
    sweep(target, |_| {});
    loop {
        let file = tempfile::Builder::new()
            .prefix(&prefix(target))
            .rand_bytes(RANDOM_BYTES)
            .permissions(rights.clone())
            .tempfile_in(folder_of(target))?;
        match held(file.as_file(), file.path()) {
            Ok(false) => {}
            Ok(true) | Err(_) => return Ok(file),
        }
    }
}

/// Locks `file`; whether it is still at `path` then.
fn held(file: &File, path: &Path) -> io::Result<bool> {
    file.lock()?;
    match fs::symlink_metadata(path) {
        Ok(there) => Ok(there.ino() == file.metadata()?.ino()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// What the names of temporary files for `target` begin with.
fn prefix(target: &Path) -> OsString {
    let name = target.file_name().unwrap_or_default().as_bytes();
    let name = OsStr::from_bytes(&name[..name.len().min(NAME_BYTES)]);
    let mut prefix = OsString::from(".");
    prefix.push(name);
    prefix.push(".hotset-");
    prefix
}

/// Removes what killed processes have left beside `target`. What cannot be removed is in nobody's way.
fn sweep(target: &Path, rescue: impl Fn(&Path)) {
    for path in left_beside(target, &prefix(target)) {
        let _ = remove_if_left(&path, &rescue);
    }
}

/// Removes the folders `.NAME.XXXXXX` that killed processes of versions without locks have left beside `target`. Those are
/// removed that `is_own` knows by what is in them, that no process has open, and that have not changed for a day.
pub fn sweep_unlocked(target: &Path, is_own: impl Fn(&Path) -> bool, rescue: impl Fn(&Path)) {
    let mut prefix = OsString::from(".");
    prefix.push(target.file_name().unwrap_or_default());
    prefix.push(".");
    for path in left_beside(target, &prefix) {
        if path.is_dir() && is_own(&path) && is_abandoned(&path) {
            let _ = remove_if_left(&path, &rescue);
        }
    }
}

/// What stands beside `target` and is called `prefix` and random characters.
fn left_beside(target: &Path, prefix: &OsStr) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder_of(target));
    let is_temporary = |name: &OsStr| {
        let random = name.as_bytes().strip_prefix(prefix.as_bytes());
        random.is_some_and(|random| {
            random.len() == RANDOM_BYTES && random.iter().all(u8::is_ascii_alphanumeric)
        })
    };
    let entries = entries.into_iter().flatten().flatten();
    entries
        .filter(|entry| is_temporary(&entry.file_name()))
        .map(|entry| entry.path())
        .collect()
}

/// Whether no process that can be seen has a file in `folder` open, and nothing in it has changed for long.
fn is_abandoned(folder: &Path) -> bool {
    let age = last_change(folder).map(|last| last.elapsed().unwrap_or_default());
    let canonical = fs::canonicalize(folder);
    age.is_ok_and(|age| age > ABANDONED_AFTER)
        && canonical.is_ok_and(|folder| procfs::users_of(&folder).is_empty())
}

/// When something in `path` changed last.
fn last_change(path: &Path) -> io::Result<SystemTime> {
    let metadata = fs::symlink_metadata(path)?;
    let mut last = metadata.modified()?;
    if metadata.is_dir() {
        for entry in fs::read_dir(path)? {
            last = last.max(last_change(&entry?.path())?);
        }
    }
    Ok(last)
}

/// Removes the file or folder at `path` unless a process holds it.
fn remove_if_left(path: &Path, rescue: impl Fn(&Path)) -> io::Result<()> {
    let kind = fs::symlink_metadata(path)?.file_type();
    if !kind.is_dir() && !kind.is_file() {
        return Ok(());
    }
    let lock = File::open(path)?;
    if lock.try_lock().is_err() {
        return Ok(());
    }
    rescue(path);
    if kind.is_dir() {
        fs::remove_dir_all(path)
    } else {
        fs::remove_file(path)
    }
}

/// The folder that `path` is or will be in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}
