//! The memory of a group of either version.

use super::files::{keyed, number, write};
use super::hierarchies::Hierarchies;
use crate::{MachineError, OnFile};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// What the memory of a group and of the groups below is used for.
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
pub(crate) enum Version {
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
            let problem = "not a control group with a memory controller";
            return Err(MachineError::unreadable(path, problem));
        };
        Ok(Self::of(path, version))
    }

    pub(crate) fn of(path: &Path, version: Version) -> Self {
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
        let stat = keyed(&self.file("memory.stat"))?;
        let of = |name: &str| self.sum_of(&stat, &[name]);
        let (total, cache, anonymous) = match self.version {
            Version::One => ("memory.usage_in_bytes", "cache", "rss"),
            Version::Two => ("memory.current", "file", "anon"),
        };
        let (kernel_bytes, limit_hits) = match self.version {
            Version::One => (
                number(&self.file("memory.kmem.usage_in_bytes"))?,
                number(&self.file("memory.failcnt"))?,
            ),
            Version::Two => (of("kernel"), self.events("memory.events", "max")?),
        };
        Ok(MemoryUsage {
            total_bytes: number(&self.file(total))?,
            // Without a limit, version 2 says "max".
            limit_bytes: number(&self.limit_file()).unwrap_or(u64::MAX),
            cache_bytes: of(cache),
            anonymous_bytes: of(anonymous),
            kernel_bytes,
            unevictable_bytes: of("unevictable"),
            limit_hits,
        })
    }

    /// The group that a process is charged to; none where that is the root, which has no limits.
    ///
    /// # Errors
    /// When the process is gone.
    pub fn of_process(pid: u32) -> Result<Option<Self>, MachineError> {
        let path = PathBuf::from(format!("/proc/{pid}/cgroup"));
        let text = fs::read_to_string(&path).on("read", &path)?;
        let hierarchies = Hierarchies::detect()?;
        let (root, version) = match (hierarchies.v1.get("memory"), &hierarchies.unified) {
            (Some(root), _) => (root, Version::One),
            (None, Some(root)) => (root, Version::Two),
            (None, None) => return Ok(None),
        };
        let inside = text.lines().find_map(|line| group_in(line, version));
        Ok(inside
            .map(|inside| inside.trim_start_matches('/'))
            .filter(|inside| !inside.is_empty())
            .map(|inside| Self::of(&root.join(inside), version)))
    }

    /// The group and those above it, up to the root, which has no limits.
    #[must_use]
    pub fn lineage(&self) -> Vec<Self> {
        let groups = self.path.ancestors().map(Self::at);
        let mut lineage: Vec<Self> = groups.map_while(Result::ok).collect();
        // The root of version 1 has files of a group.
        if self.version == Version::One && lineage.len() > 1 {
            lineage.pop();
        }
        lineage
    }

    /// Moves a process into it, whose new memory is charged to it from then on. What it has already is not.
    ///
    /// # Errors
    /// When the process is gone, or the kernel refuses.
    pub fn join(&self, pid: u32) -> Result<(), MachineError> {
        write(&self.file("cgroup.procs"), pid)
    }

    /// The processes in it, without those in the groups below.
    #[must_use]
    pub fn processes(&self) -> Vec<u32> {
        let text = fs::read_to_string(self.file("cgroup.procs")).unwrap_or_default();
        text.lines().filter_map(|line| line.parse().ok()).collect()
    }

    /// Whether a process in it is killed with the service that the group belongs to, as systemd does by version 2 groups.
    #[must_use]
    pub fn is_unified(&self) -> bool {
        self.version == Version::Two
    }

    /// What of its memory, and that of the groups below, cannot be evicted: processes' own memory, the kernel's, locked
    /// pages, and files in memory. Of the kernel's, version 2 tells the directory entries and inodes that it can let go of. Swap is not counted on: the kernel's lists of anonymous memory have what a tmpfs may swap as
    /// well. Bytes.
    ///
    /// # Errors
    /// When the kernel's files cannot be read.
    pub fn unreclaimable_bytes(&self) -> Result<u64, MachineError> {
        let stat = keyed(&self.file("memory.stat"))?;
        let kernel = match self.version {
            Version::One => number(&self.file("memory.kmem.usage_in_bytes")).unwrap_or(0),
            Version::Two => {
                let kernel = self.sum_of(&stat, &["kernel"]);
                kernel.saturating_sub(self.sum_of(&stat, &["slab_reclaimable"]))
            }
        };
        Ok(kernel + self.sum_of(&stat, &["active_anon", "inactive_anon", "unevictable"]))
    }

    /// What reclaim cannot take of the files in its memory and that of the groups below: locked pages, ramfs, and a tmpfs that
    /// does not swap. Bytes.
    ///
    /// # Errors
    /// When the kernel's files cannot be read.
    pub fn unevictable_bytes(&self) -> Result<u64, MachineError> {
        self.count("unevictable")
    }

    /// Files in tmpfs, and memory that processes share, also of the groups below. Bytes.
    ///
    /// # Errors
    /// When the kernel's files cannot be read.
    pub fn shared_bytes(&self) -> Result<u64, MachineError> {
        self.count("shmem")
    }

    /// How many processes the kernel has killed because the group was too full.
    ///
    /// # Errors
    /// When the kernel's files cannot be read.
    pub fn kills(&self) -> Result<u64, MachineError> {
        let file = match self.version {
            Version::One => "memory.oom_control",
            Version::Two => "memory.events",
        };
        self.events(file, "oom_kill")
    }

    /// A count of the group and of the groups below.
    fn count(&self, name: &str) -> Result<u64, MachineError> {
        let stat = keyed(&self.file("memory.stat"))?;
        Ok(self.sum_of(&stat, &[name]))
    }

    /// Version 1 has the counts of a group without those below as well; version 2 has those with them only.
    fn sum_of(&self, stat: &BTreeMap<String, u64>, names: &[&str]) -> u64 {
        let of = |name: &&str| match self.version {
            Version::One => stat.get(&format!("total_{name}")),
            Version::Two => stat.get(*name),
        };
        names.iter().filter_map(of).sum()
    }

    /// Its limit, where it has one. Bytes.
    #[must_use]
    pub fn limit_bytes(&self) -> Option<u64> {
        // Without one, version 2 says "max", version 1 the largest number of whole pages.
        let bytes = number(&self.limit_file()).ok();
        bytes.filter(|bytes| *bytes < i64::MAX as u64 / 2)
    }

    /// What nothing outside it may take; none in version 1, which knows no floors. Bytes.
    #[must_use]
    pub fn floor_bytes(&self) -> Option<u64> {
        number(&self.file("memory.low")).ok()
    }

    /// Changes its limit.
    ///
    /// # Errors
    /// When the kernel refuses, as it does for less memory than cannot be reclaimed.
    pub fn limit(&self, bytes: u64) -> Result<(), MachineError> {
        write(&self.limit_file(), bytes)
    }

    fn limit_file(&self) -> PathBuf {
        self.file(match self.version {
            Version::One => "memory.limit_in_bytes",
            Version::Two => "memory.max",
        })
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

    /// How often something has happened to it.
    fn events(&self, file: &str, name: &str) -> Result<u64, MachineError> {
        let events = keyed(&self.file(file))?;
        Ok(events.get(name).copied().unwrap_or(0))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

/// The path in a line of /proc/PID/cgroup (cgroups(7)), where it is about memory.
fn group_in(line: &str, version: Version) -> Option<&str> {
    let mut fields = line.splitn(3, ':');
    let (id, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
    let is_memory = match version {
        Version::One => controllers.split(',').any(|name| name == "memory"),
        Version::Two => id == "0" && controllers.is_empty(),
    };
    is_memory.then_some(path)
}
