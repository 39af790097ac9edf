//! Files that age before they are read: grown piece by piece beside another one, as two logs do.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use hotset_scenario::parse_bytes;
use rustix::fs::{FallocateFlags, fallocate};
use rustix::io::Errno;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use crate::kinds::jobs::whole_pages;

/// A piece is written at once.
const MOST_PIECE: u64 = 256 << 20;

/// A file that grows piece by piece.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct GrownFile {
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
    whole_pages(bytes)
}

impl GrownFile {
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
        match self.take_turns(&own) {
            // ext3 has no extents to take pieces from.
            Err(error) if error.raw_os_error() == Some(Errno::OPNOTSUPP.raw_os_error()) => {
                self.grow_beside(&own, &folder.join(format!("beside-{}", self.file)))
            }
            made => made,
        }
    }

    /// Writes a file of twice the size in one go, then takes every second piece out of it. Two files that grow side by side would lie
    /// so, if the kernel let them; since 6.17 it looks for room for each in another part of the disk (`s_mb_nr_global_goals`,
    /// `fs/ext4/mballoc.c`).
    fn take_turns(&self, path: &Path) -> io::Result<()> {
        let file = open(path)?;
        fallocate(&file, FallocateFlags::empty(), 0, self.needed_bytes())?;
        let piece = vec![b'a'; self.piece as usize];
        for start in (0..self.needed_bytes()).step_by(piece.len()) {
            file.write_all_at(&piece, start)?;
        }
        file.sync_all()?;
        // From the end, so that what is moved is short. The kernel refuses to take the last piece: that one is cut off.
        for number in (0..self.size / self.piece - 1).rev() {
            let taken = (2 * number + 1) * self.piece;
            fallocate(&file, FallocateFlags::COLLAPSE_RANGE, taken, self.piece)?;
        }
        file.set_len(self.size)?;
        file.sync_all()
    }

    /// Grows it and another file in turn, a piece each.
    fn grow_beside(&self, own: &Path, other: &Path) -> io::Result<()> {
        let piece = vec![b'a'; self.piece as usize];
        for start in (0..self.size).step_by(piece.len()) {
            for path in [own, other] {
                let file = open(path)?;
                file.write_all_at(&piece, start)?;
                file.sync_all()?;
            }
        }
        Ok(())
    }
}

fn open(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).open(path)
}
