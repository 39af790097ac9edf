//! Files that are replaced whole.

use crate::{MachineError, OnFile};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

/// Temporary files are private to their owner; a result gets the rights that any new file would have.
const MODE: u32 = 0o644;

/// Writes `contents` to `path`, whole or not at all.
///
/// # Errors
/// As [`write_with`].
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(contents))
}

/// Lets `write` fill a file of a temporary name beside `path`, then renames it: a reader sees the old file or the new one,
/// and a full disk leaves nothing behind.
///
/// # Errors
/// When the folder takes no file, or with the error of `write`.
pub fn write_with(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut file = tempfile::Builder::new()
        .prefix(".hotset-")
        .permissions(Permissions::from_mode(MODE))
        .tempfile_in(folder_of(path))?;
    write(file.as_file_mut())?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

/// The folder that `path` is or will be in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
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
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| MachineError::Unreadable {
            path: path.to_owned(),
            problem: format!("{error}; remove it to have it made again"),
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
