//! The files that are written to be read.

use hotset_machine::{MachineError, OnFile};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::PathBuf;

/// As many files of each of some sizes, at `FOLDER/SIZE/NUMBER`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileSet {
    /// Where.
    pub folder: PathBuf,
    /// Sizes, bytes.
    pub sizes: Vec<u64>,
    /// Files of each size.
    pub files: usize,
}

impl FileSet {
    /// Writes all files, size by size.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub fn write(&self) -> Result<(), MachineError> {
        for &bytes in &self.sizes {
            let content = content(bytes);
            let folder = self.folder.join(bytes.to_string());
            fs::create_dir_all(&folder).on("make", &folder)?;
            for number in 0..self.files {
                let path = self.file(bytes, number);
                fs::write(&path, &content).on("write", path)?;
            }
        }
        Ok(())
    }

    /// Path of a file.
    #[must_use]
    pub fn file(&self, bytes: u64, number: usize) -> PathBuf {
        self.folder.join(bytes.to_string()).join(number.to_string())
    }
}

/// Bytes that no file system stores in less room (a linear congruence by Knuth, MMIX).
pub(crate) fn content(bytes: u64) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    std::iter::repeat_with(&mut next)
        .take(bytes as usize)
        .collect()
}
