//! What tells contents of files from one another.

use rustix::fs::{Stat, fstat};
use serde::{Deserialize, Serialize};
use std::os::fd::AsFd;

/// Which content of which file: another one after each replacement and each change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Identity {
    /// The file system.
    pub device: u64,
    /// The file in it.
    pub inode: u64,
    /// Bytes.
    pub size_bytes: u64,
    /// Last change of the content, nanoseconds since 1970-01-01 UTC.
    pub mtime_ns: i64,
    /// Last change of content, owner, mode or name, nanoseconds since 1970-01-01 UTC.
    pub ctime_ns: i64,
}

impl Identity {
    /// Of an open file.
    ///
    /// # Errors
    /// When the file system is gone.
    pub fn of(file: impl AsFd) -> rustix::io::Result<Self> {
        Ok(Self::from(&fstat(file)?))
    }

    /// Whether both are the same file, whatever its content is now.
    #[must_use]
    pub fn is_same_file(&self, other: &Self) -> bool {
        self.key() == other.key()
    }

    /// What tells the file from all others.
    pub(crate) fn key(&self) -> (u64, u64) {
        (self.device, self.inode)
    }

    /// Bytes that it takes in memory: whole pages.
    #[must_use]
    pub fn page_bytes(&self) -> u64 {
        self.size_bytes
            .checked_next_multiple_of(hotset_machine::memory::page_bytes())
            .unwrap_or(u64::MAX)
    }
}

impl From<&Stat> for Identity {
    fn from(stat: &Stat) -> Self {
        let time = |seconds: i64, nanoseconds: u64| {
            seconds
                .saturating_mul(1_000_000_000)
                .saturating_add_unsigned(nanoseconds)
        };
        Self {
            device: stat.st_dev,
            inode: stat.st_ino,
            size_bytes: u64::try_from(stat.st_size).unwrap_or(0),
            mtime_ns: time(stat.st_mtime, stat.st_mtime_nsec),
            ctime_ns: time(stat.st_ctime, stat.st_ctime_nsec),
        }
    }
}
