//! The files of one log: the one that the server writes, and those that were rotated away.

use super::super::inputs::{is_pattern, matching};
use super::super::rotation::{COMPRESSED, log_of};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A log: files whose names differ by the marks of rotation alone.
#[derive(Clone, Debug)]
pub(super) struct LogName {
    /// The file that the server writes, or a pattern that its name matches (`access-*.log`).
    name: PathBuf,
    is_pattern: bool,
    /// Where its files are.
    folder: PathBuf,
    /// What all of its files are called without the marks of rotation.
    log: String,
}

/// A file of a log.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Sibling {
    /// When it was last written: files of one log are written one after the other.
    pub modified: SystemTime,
    pub path: PathBuf,
    pub identity: (u64, u64),
}

impl Sibling {
    /// The file at `path`; none where there is nothing that can be read.
    pub fn at(path: &Path) -> Option<Sibling> {
        let data = fs::metadata(path).ok().filter(|data| !data.is_dir())?;
        Some(Sibling {
            modified: data.modified().ok()?,
            path: path.to_owned(),
            identity: (data.dev(), data.ino()),
        })
    }

    /// Whether its name is not that of a compressed file.
    fn is_plain(&self) -> bool {
        let name = self.path.to_string_lossy();
        !COMPRESSED.iter().any(|end| name.ends_with(end))
    }

    /// Whether it was written after a file that was last written at `modified`. A copy has the time of its file.
    pub fn is_after(&self, modified: SystemTime) -> bool {
        self.modified > modified
    }
}

impl LogName {
    /// The logs that a path, or a pattern, stands for now.
    pub fn all_of(name: &Path) -> Vec<LogName> {
        let pattern = name
            .to_str()
            .filter(|text| is_pattern(text) && !name.exists());
        let Some(pattern) = pattern else {
            return vec![LogName {
                name: name.to_owned(),
                is_pattern: false,
                folder: folder_of(name),
                log: log_of(&in_folder(name)),
            }];
        };
        let files = matching(pattern);
        let logs: BTreeMap<String, PathBuf> = files
            .map(|path| (log_of(&in_folder(&path)), folder_of(&path)))
            .collect();
        let of_log = |(log, folder)| LogName {
            name: name.to_owned(),
            is_pattern: true,
            folder,
            log,
        };
        logs.into_iter().map(of_log).collect()
    }

    /// What it is called whatever its files are.
    pub fn as_str(&self) -> &str {
        &self.log
    }

    /// The file that the server writes now: the one of this name, or the last one written that the pattern matches.
    pub fn current(&self) -> Option<Sibling> {
        if !self.is_pattern {
            return Sibling::at(&self.name);
        }
        let pattern = self.name.to_string_lossy();
        let matched = matching(&pattern).map(|path| in_folder(&path));
        self.own(matched)
            .into_iter()
            .filter(Sibling::is_plain)
            .max()
    }

    /// All files of the log, the oldest first. Those that were rotated away may have names that the pattern does not match.
    pub fn files(&self) -> Vec<Sibling> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut files = self.own(entries.map(|entry| entry.path()));
        files.sort();
        files
    }

    /// Those of these files that are this log's.
    fn own(&self, paths: impl Iterator<Item = PathBuf>) -> Vec<Sibling> {
        let own = paths.filter(|path| log_of(path) == self.log);
        own.filter_map(|path| Sibling::at(&path)).collect()
    }
}

/// The path with its folder, which may be the one this process works in.
fn in_folder(name: &Path) -> PathBuf {
    match name.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => name.to_owned(),
        _ => Path::new(".").join(name),
    }
}

fn folder_of(name: &Path) -> PathBuf {
    let name = in_folder(name);
    name.parent().unwrap_or(&name).to_owned()
}
