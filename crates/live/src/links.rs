//! How many names a file has within a folder.

use crate::Identity;
use std::collections::HashMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// Names of files with several, for each folder that was asked about. A folder is read once, and only where a plan has a
/// file with several names.
#[derive(Debug, Default)]
pub struct Links {
    folders: HashMap<PathBuf, HashMap<(u64, u64), u64>>,
}

impl Links {
    /// How many names the file has below the folder. Symbolic links are not followed.
    pub fn within(&mut self, folder: &Path, file: &Identity) -> u64 {
        let names = self.folders.entry(folder.to_owned()).or_insert_with(|| {
            let mut names = HashMap::new();
            count(folder, &mut names);
            names
        });
        names
            .get(&(file.device, file.inode))
            .copied()
            .unwrap_or_default()
    }
}

/// A folder that cannot be read has no names: the file is then refused.
fn count(folder: &Path, names: &mut HashMap<(u64, u64), u64>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let Ok(metadata) = entry.metadata() else {
            continue;
        };
        if metadata.is_dir() {
            count(&entry.path(), names);
        } else if metadata.is_file() && metadata.nlink() > 1 {
            *names.entry((metadata.dev(), metadata.ino())).or_default() += 1;
        }
    }
}
