//! What a store's files are laid out by, and what its journal does.

use serde::{Deserialize, Serialize};

use crate::bounds::{Bounded as _, CommitS, InodeBytes, JournalBytes, Size};

/// What a store's files are laid out by.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FileSystemSpec {
    /// Its type, as the kernel names it: `ext4`.
    pub kind: String,
    /// Bytes of its blocks.
    pub block_bytes: u64,
    /// Bytes of an inode, for models that read a file's inode before the file; missing where they are not to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inode_bytes: Option<u64>,
    /// What its journal does; missing where that is not known. File systems that have journals are then taken to have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal: Option<Journal>,
    /// Seconds after which the journal commits by itself (mount option `commit`); the kernel's default where missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit_s: Option<f64>,
    /// Bytes of the journal; 64 MiB where missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal_bytes: Option<u64>,
    /// Its first byte, from the start of the device; behind the files where missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub journal_at: Option<u64>,
    /// Whether commits flush the device's cache (mount options `barrier` and `nobarrier`); they do where missing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub barrier: Option<bool>,
}

impl FileSystemSpec {
    /// One of which only this is known.
    #[must_use]
    pub fn new(kind: &str, block_bytes: u64) -> Self {
        Self {
            kind: kind.to_owned(),
            block_bytes,
            inode_bytes: None,
            journal: None,
            commit_s: None,
            journal_bytes: None,
            journal_at: None,
            barrier: None,
        }
    }
}

/// What a file system's journal does (mount option `data` of ext4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Journal {
    /// There is none.
    None,
    /// Metadata goes into it, after the data that it describes.
    Ordered,
    /// Metadata goes into it, before or after the data.
    Writeback,
    /// Data goes into it as well.
    Data,
}

impl Journal {
    /// As profiles write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// `[file_system]` of a profile.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(crate) struct FileSystemTable {
    kind: String,
    block_bytes: Size,
    inode_bytes: Option<InodeBytes>,
    journal: Option<Journal>,
    commit_s: Option<CommitS>,
    journal_bytes: Option<JournalBytes>,
    journal_at: Option<Size>,
    barrier: Option<bool>,
}

impl FileSystemTable {
    pub fn spec(self) -> FileSystemSpec {
        FileSystemSpec {
            kind: self.kind,
            block_bytes: self.block_bytes.0,
            inode_bytes: self.inode_bytes.number(),
            journal: self.journal,
            commit_s: self.commit_s.number(),
            journal_bytes: self.journal_bytes.number(),
            journal_at: self.journal_at.number(),
            barrier: self.barrier,
        }
    }
}
