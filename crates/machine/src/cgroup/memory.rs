//! The memory of a group of either version.

use super::files::{keyed, number, write};
use crate::{MachineError, OnFile};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What a group's memory is used for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryUsage {
    /// All that counts against the limit.
    pub total_bytes: u64,
    /// The limit.
    pub limit_bytes: u64,
    /// Files' pages: the page cache, and files in ramfs and tmpfs.
    pub cache_bytes: u64,
    /// Processes' own memory.
    pub anonymous_bytes: u64,
    /// The kernel's memory for the group: directory entries, inodes, sockets, page tables.
    pub kernel_bytes: u64,
    /// What reclaim cannot take: locked pages, ramfs.
    pub unevictable_bytes: u64,
    /// How often a request met the limit.
    pub limit_hits: u64,
}

/// A group with a memory controller: its usage, its limit, its reclaim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryGroup {
    path: PathBuf,
    version: Version,
}

/// Of control groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    One,
    Two,
}

impl MemoryGroup {
    /// The group at `path`, of the version that its files tell.
    ///
    /// # Errors
    /// When there is no group with a memory controller.
    pub fn at(path: &Path) -> Result<Self, MachineError> {
        let has = |file: &str| path.join(file).exists();
        let version = if has("memory.usage_in_bytes") {
            Version::One
        } else if has("memory.current") {
            Version::Two
        } else {
            return Err(MachineError::Unreadable {
                path: path.to_owned(),
                problem: "not a control group with a memory controller".to_owned(),
            });
        };
        Ok(Self::of(path, version))
    }

    pub(super) fn of(path: &Path, version: Version) -> Self {
        Self {
            path: path.to_owned(),
            version,
        }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What its memory is used for.
    ///
    /// # Errors
    /// When the kernel's files cannot be read.
    pub fn usage(&self) -> Result<MemoryUsage, MachineError> {
        match self.version {
            Version::One => self.usage_v1(),
            Version::Two => self.usage_v2(),
        }
    }

    /// Changes its limit.
    ///
    /// # Errors
    /// When the kernel refuses, as it does for less memory than cannot be reclaimed.
    pub fn limit(&self, bytes: u64) -> Result<(), MachineError> {
        let file = match self.version {
            Version::One => "memory.limit_in_bytes",
            Version::Two => "memory.max",
        };
        write(&self.file(file), bytes)
    }

    /// Evicts what the group has cached, and nothing of another group. What is locked, in a memory file system, or dirty
    /// beyond writing stays. Returns the usage after it.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn force_empty(&self) -> Result<MemoryUsage, MachineError> {
        let mut before = self.usage()?;
        loop {
            self.reclaim()?;
            let after = self.usage()?;
            if after.total_bytes >= before.total_bytes {
                return Ok(after);
            }
            before = after;
        }
    }

    /// Asks the kernel once to evict what it can.
    fn reclaim(&self) -> Result<(), MachineError> {
        if self.version == Version::One {
            return write(&self.file("memory.force_empty"), 0);
        }
        let path = self.file("memory.reclaim");
        match fs::write(&path, number(&self.file("memory.current"))?.to_string()) {
            // It reclaimed less than was asked for: what is in use cannot go.
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(()),
            other => other.on("write", path),
        }
    }

    fn usage_v1(&self) -> Result<MemoryUsage, MachineError> {
        let stat = keyed(&self.file("memory.stat"))?;
        let of = |name: &str| stat.get(name).copied().unwrap_or(0);
        Ok(MemoryUsage {
            total_bytes: number(&self.file("memory.usage_in_bytes"))?,
            limit_bytes: number(&self.file("memory.limit_in_bytes"))?,
            cache_bytes: of("cache"),
            anonymous_bytes: of("rss"),
            kernel_bytes: number(&self.file("memory.kmem.usage_in_bytes"))?,
            unevictable_bytes: of("unevictable"),
            limit_hits: number(&self.file("memory.failcnt"))?,
        })
    }

    fn usage_v2(&self) -> Result<MemoryUsage, MachineError> {
        let stat = keyed(&self.file("memory.stat"))?;
        let of = |name: &str| stat.get(name).copied().unwrap_or(0);
        Ok(MemoryUsage {
            total_bytes: number(&self.file("memory.current"))?,
            // Without a limit it says "max".
            limit_bytes: number(&self.file("memory.max")).unwrap_or(u64::MAX),
            cache_bytes: of("file"),
            anonymous_bytes: of("anon"),
            kernel_bytes: of("kernel"),
            unevictable_bytes: of("unevictable"),
            limit_hits: keyed(&self.file("memory.events"))?
                .get("max")
                .copied()
                .unwrap_or(0),
        })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}
