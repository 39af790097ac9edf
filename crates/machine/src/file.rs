//! Results written where they are told to go: files as a whole, everything else as it is.

use crate::temporary::{file_beside, folder_of};
use crate::{Destination, MachineError, OnFile};
use rustix::fs::{Gid, Mode, Uid};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Seek as _, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::Path;
use tempfile::NamedTempFile;

/// Rights of a new file, of which the process's mask takes some away.
const NEW_FILE: u32 = 0o666;
/// Rights of a file that programs of other users read.
const FOR_ALL: u32 = 0o644;
/// Rights of a file that is to get those of another: nobody else reads it before it has them.
const PRIVATE: u32 = 0o600;

/// Writes `contents` to `path`, as [`write_with`] does.
///
/// # Errors
/// As [`write_with`].
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(contents))
}

/// Writes `contents` to the file `path` as a whole, for all users to read whatever the process's mask is.
///
/// # Errors
/// When the file cannot be written.
pub fn write_for_all(path: &Path, contents: &[u8]) -> io::Result<()> {
    let rights = Permissions::from_mode(FOR_ALL);
    let file = file_beside(path, rights.clone())?;
    // The mask has taken some away.
    file.as_file().set_permissions(rights)?;
    replace(path, file, |file| file.write_all(contents))
}

/// Lets `write` fill what `path` names: see [`Destination`].
///
/// A file is filled under a temporary name beside it, which is then renamed: a reader sees the old file or the new one,
/// and a full disk leaves nothing behind. The new file has the old one's owner, group and mode; access control lists and
/// extended attributes are not carried over. Where that cannot be done, because the folder takes no file, the owner
/// cannot be given or the file is a mount point, the file is written in place. That is not atomic: a failure leaves it
/// half-written.
///
/// # Errors
/// When neither can be done, or with the error of `write`.
pub fn write_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    match Destination::of(path)? {
        Destination::File(path) => match staged(&path) {
            Ok(file) => replace(&path, file, write),
            Err(error) if error.kind() == ErrorKind::PermissionDenied && path.exists() => {
                let mut file = truncated(&path)?;
                write(&mut file)?;
                file.sync_all()
            }
            Err(error) => Err(error),
        },
        elsewhere => write(&mut elsewhere.open()?),
    }
}

/// An empty file beside `path` that may take its place.
fn staged(path: &Path) -> io::Result<NamedTempFile> {
    let old = fs::metadata(path).ok();
    let mode = if old.is_some() { PRIVATE } else { NEW_FILE };
    let file = file_beside(path, Permissions::from_mode(mode))?;
    if let Some(old) = &old {
        take_over(file.as_file(), old)?;
    }
    Ok(file)
}

/// Gives `file` the owner, group and mode of `old`. The owner comes first, because a change of owner takes away from the
/// mode.
fn take_over(file: &File, old: &Metadata) -> io::Result<()> {
    let new = file.metadata()?;
    let owner = (old.uid() != new.uid()).then(|| Uid::from_raw(old.uid()));
    let group = (old.gid() != new.gid()).then(|| Gid::from_raw(old.gid()));
    if owner.is_some() || group.is_some() {
        rustix::fs::fchown(file, owner, group)?;
    }
    rustix::fs::fchmod(file, Mode::from_raw_mode(old.mode()))?;
    Ok(())
}

fn replace(
    path: &Path,
    mut file: NamedTempFile,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    match file.persist(path) {
        Ok(_) => Ok(()),
        // A file that is mounted, as containers are given theirs, cannot be replaced.
        Err(refused) if refused.error.kind() == ErrorKind::ResourceBusy => {
            copy_into(refused.file.into_file(), path)
        }
        Err(refused) => Err(refused.error),
    }
}

fn copy_into(mut from: File, path: &Path) -> io::Result<()> {
    from.rewind()?;
    let mut to = truncated(path)?;
    io::copy(&mut from, &mut to)?;
    to.sync_all()
}

fn truncated(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).truncate(true).open(path)
}

/// The JSON document at `path`; `None` when there is no such file.
///
/// # Errors
/// A document that cannot be read.
pub fn read_json<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, MachineError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        other => other.on("read", path)?,
    };
    serde_json::from_slice(&bytes).map(Some).map_err(|error| {
        let problem = format!("{error}; remove it to have it made again");
        MachineError::unreadable(path, problem)
    })
}

/// Writes a JSON document whole or not at all, and its folder where that is missing.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn write_json<T: Serialize>(path: &Path, document: &T) -> Result<(), MachineError> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).on("make", folder)?;
    let mut text = serde_json::to_vec(document)
        .map_err(io::Error::from)
        .on("write", path)?;
    text.push(b'\n');
    write(path, &text).on("write", path)
}

/// The same, for nobody but the calling user to read.
///
/// # Errors
/// When the folder or the file cannot be written.
pub fn write_private_json<T: Serialize>(path: &Path, document: &T) -> Result<(), MachineError> {
    let folder = folder_of(path);
    fs::create_dir_all(folder).on("make", folder)?;
    let write = |file: &mut File| {
        let mut file = BufWriter::new(file);
        serde_json::to_writer(&mut file, document)?;
        file.write_all(b"\n")?;
        file.flush()
    };
    file_beside(path, Permissions::from_mode(PRIVATE))
        .and_then(|file| replace(path, file, write))
        .on("write", path)
}
