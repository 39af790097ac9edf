//! A folder where files can be read past the page cache.

use crate::DemoError;
use crate::direct::{Buffer, open_direct};
use hotset_machine::Residency;
use hotset_machine::temporary::TemporaryFolder;
use rustix::fs::{Advice, fadvise};
use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

/// Bytes of the file that is tried.
const TRIED_BYTES: usize = 64 << 10;

/// A temporary folder in the first of these folders whose files can be read past the page cache. It is removed when dropped.
///
/// # Errors
/// [`DemoError::NoFolder`], with what is wrong with each.
pub fn workplace(folders: &[PathBuf]) -> Result<TemporaryFolder, DemoError> {
    let mut problems = Vec::new();
    for folder in folders {
        match tried(folder) {
            Ok(place) => return Ok(place),
            Err(error) => problems.push(format!("{}: {error}", folder.display())),
        }
    }
    Err(DemoError::NoFolder(problems))
}

fn tried(folder: &Path) -> io::Result<TemporaryFolder> {
    let folder = std::path::absolute(folder)?;
    let place = TemporaryFolder::beside(&folder.join("hotset-demo"), |_| {})?;
    let file = place.path().join("tried");
    try_file(&file)?;
    fs::remove_file(file)?;
    Ok(place)
}

/// Whether the page cache stays empty when a file is read directly. In a file system in memory it is not, because files are
/// nowhere else; others fall back to it without saying so.
fn try_file(path: &Path) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    file.write_all(&[1; TRIED_BYTES])?;
    file.sync_all()?;
    fadvise(&file, 0, None, Advice::DontNeed)?;
    let mut direct = open_direct(path)
        .map_err(|error| io::Error::other(format!("no direct reads (O_DIRECT): {error}")))?;
    while direct.read(Buffer::new().as_mut())? == TRIED_BYTES {}
    match Residency::of(&file)?.resident {
        0 => Ok(()),
        _ => Err(io::Error::other("its files are read through memory")),
    }
}
