//! Documents of the lab: JSON files, each written whole or not at all.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::LabError;
use crate::error::OnFile;

/// The document at `path`; nothing where there is none.
///
/// # Errors
/// One that cannot be read.
pub fn read<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, LabError> {
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        other => other.on("read", path)?,
    };
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|error| LabError::Unreadable {
            path: path.to_owned(),
            problem: format!("{error}; remove it to have it measured again"),
        })
}

/// Writes a document whole or not at all.
///
/// # Errors
/// When its folder or the file cannot be written.
pub fn write<T: Serialize>(path: &Path, document: &T) -> Result<(), LabError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).on("make", folder)?;
    let mut text = serde_json::to_vec(document)
        .map_err(std::io::Error::from)
        .on("write", path)?;
    text.push(b'\n');
    let mut file = tempfile::Builder::new()
        .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
        .tempfile_in(folder)
        .on("write", path)?;
    file.write_all(&text).on("write", path)?;
    file.as_file().sync_all().on("write", path)?;
    file.persist(path)
        .map_err(|error| error.error)
        .on("write", path)?;
    Ok(())
}
