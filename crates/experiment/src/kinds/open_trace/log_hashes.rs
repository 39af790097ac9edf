//! What is in logs, as hashes: a kept result stands for the log that it was measured with.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use hotset_machine::{MachineError, OnFile as _};
use sha2::{Digest as _, Sha256};

/// Hashes of logs, each computed once: all points of a log ask for it.
#[derive(Default)]
pub(super) struct LogHashes(RefCell<BTreeMap<PathBuf, String>>);

impl LogHashes {
    /// SHA-256 of the file at `path`, hexadecimal.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn of(&self, path: &Path) -> Result<String, MachineError> {
        let known = self.0.borrow().get(path).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let hash = hash(path)?;
        let mut all = self.0.borrow_mut();
        all.insert(path.to_owned(), hash.clone());
        Ok(hash)
    }
}

/// Read piece by piece: a log may be larger than the memory.
fn hash(path: &Path) -> Result<String, MachineError> {
    let mut log = BufReader::new(File::open(path).on("read", path)?);
    let mut hash = Sha256::new();
    loop {
        let piece = log.fill_buf().on("read", path)?;
        if piece.is_empty() {
            break;
        }
        hash.update(piece);
        let length = piece.len();
        log.consume(length);
    }
    let bytes = hash.finalize();
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
