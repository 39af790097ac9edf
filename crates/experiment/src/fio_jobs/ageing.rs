//! Files that age before they are read: grown piece by piece beside another one, as two logs do.

use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use hotset_cache::PAGE_BYTES;
use hotset_scenario::parse_bytes;
use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

/// A piece is written at once.
const MOST_PIECE: u64 = 256 << 20;

/// A file that grows piece by piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct Grown {
    /// As jobs call it.
    pub file: String,
    /// How long it becomes, bytes.
    #[serde(deserialize_with = "pages")]
    pub size: u64,
    /// What it and the other file grow by in turn, bytes.
    #[serde(deserialize_with = "pages")]
    pub piece: u64,
}

/// A size as people write it, or in bytes.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a size such as \"64KiB\"")]
enum Size {
    Text(String),
    Bytes(u64),
}

fn pages<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let bytes = match Size::deserialize(deserializer)? {
        Size::Text(text) => parse_bytes(&text).map_err(D::Error::custom)?,
        Size::Bytes(bytes) => bytes,
    };
    match bytes > 0 && bytes.is_multiple_of(PAGE_BYTES) {
        true => Ok(bytes),
        false => Err(D::Error::custom("must be whole pages of 4 KiB")),
    }
}

impl Grown {
    /// What of it cannot be made.
    ///
    /// # Errors
    /// A name of another folder, and pieces that it is not made of.
    pub fn check(&self) -> Result<(), String> {
        let Self { file, size, piece } = self;
        if file.contains('/') || matches!(file.as_str(), "" | "." | "..") {
            return Err(format!(
                "`file` in [[fio-jobs.grown]]: `{file}` is no name of a file"
            ));
        }
        if *piece > MOST_PIECE || !size.is_multiple_of(*piece) {
            return Err(format!(
                "{file} in [[fio-jobs.grown]]: `piece` must divide `size`, and be at most {} MiB",
                MOST_PIECE >> 20
            ));
        }
        Ok(())
    }

    /// Room for it and the file beside it, bytes.
    pub fn needed_bytes(&self) -> u64 {
        self.size.saturating_mul(2)
    }

    /// Makes it in `folder`, unless it is there.
    ///
    /// # Errors
    /// What the file system refuses.
    pub fn grow(&self, folder: &Path) -> io::Result<()> {
        let own = folder.join(&self.file);
        if own.exists() {
            return Ok(());
        }
        let other = folder.join(format!("beside-{}", self.file));
        let piece = vec![b'a'; self.piece as usize];
        for start in (0..self.size).step_by(piece.len()) {
            for path in [&own, &other] {
                append(path, start, &piece)?;
            }
        }
        Ok(())
    }
}

/// Appends a piece and lets go of the file. What file systems keep free behind a file that grows is given up then
/// (`ext4_release_file`, `fs/ext4/file.c`); where files have extents, exactly the piece is asked for besides, as more would be
/// taken at once (`ext4_mb_normalize_request`, `fs/ext4/mballoc.c`).
fn append(path: &Path, start: u64, piece: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    let file = options
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    match fallocate(&file, FallocateFlags::empty(), start, piece.len() as u64) {
        // ext3 has no way to ask.
        Ok(()) | Err(Errno::OPNOTSUPP) => {}
        Err(error) => return Err(error.into()),
    }
    file.write_all_at(piece, start)?;
    file.sync_all()
}
