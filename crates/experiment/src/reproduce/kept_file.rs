//! What took time to make, kept in a file: it is made anew where it was made from something else, or by another version of hotset.

use std::fs;
use std::path::{Path, PathBuf};

use hotset_machine::{OnFile as _, file};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::error_words::in_words;
use crate::ExperimentError;

/// Program and version.
const TOOL: &str = concat!("hotset ", env!("CARGO_PKG_VERSION"));

/// What is kept.
#[derive(Serialize, Deserialize)]
struct Kept<T> {
    /// Program and version that made it.
    tool: String,
    /// Hash of what it was made from.
    made_from: String,
    #[serde(flatten)]
    made: T,
}

/// What is kept in the file `path` if it was made from what has the hash `made_from`, else what `make` makes now, which is kept then. With it, why what was
/// kept is not used, or what is made cannot be kept.
///
/// # Errors
/// Those of `make`.
pub(crate) fn kept_or_made<T: Serialize + DeserializeOwned>(
    path: &Path,
    made_from: String,
    make: impl FnOnce() -> Result<T, ExperimentError>,
) -> Result<(T, Vec<String>), ExperimentError> {
    let mut remarks = Vec::new();
    match file::read_json::<Kept<T>>(path) {
        Ok(Some(found)) if found.tool != TOOL => remarks.push(format!(
            "{}: predicted by {}, and predicted anew",
            path.display(),
            found.tool
        )),
        Ok(Some(found)) if found.made_from == made_from => return Ok((found.made, remarks)),
        // What has changed since is predicted without a word.
        Ok(_) => {}
        Err(error) => remarks.push(format!("{}; it is predicted anew", in_words(&error))),
    }
    let kept = Kept {
        tool: TOOL.to_owned(),
        made_from,
        made: make()?,
    };
    // A full disk, or a folder that is not to be written to, only takes time again.
    if let Err(error) = file::write_json(path, &kept) {
        let words = in_words(&error);
        remarks.push(format!(
            "{words}; the predictions are not kept, and are made anew next time"
        ));
    }
    Ok((kept.made, remarks))
}

/// Hash of a text and of all files in the folder of a file: its own, those that it names, and results there.
///
/// # Errors
/// A file that cannot be read.
pub(crate) fn hash_beside(file: &Path, text: &str) -> Result<String, ExperimentError> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut hash = Sha256::new();
    hash.update(file.as_os_str().as_encoded_bytes());
    hash.update(text.as_bytes());
    for path in files {
        let bytes = fs::read(&path).on("read", &path)?;
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    let bytes = hash.finalize();
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// All files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), ExperimentError> {
    for entry in fs::read_dir(folder).on("read", folder)? {
        let entry = entry.on("read", folder)?;
        match entry.file_type().on("read", folder)? {
            kind if kind.is_dir() => collect(&entry.path(), files)?,
            kind if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
    Ok(())
}
