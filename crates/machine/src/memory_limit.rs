//! What bounds the memory of the machine's processes, and how much of it files may have.

use std::path::Path;

use crate::cgroup::MemoryGroup;
use crate::{MachineError, memory};

/// A bound on memory: that of the machine, or of a memory group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryLimit {
    /// The group; none of the machine itself.
    pub group: Option<MemoryGroup>,
    /// All of it. Bytes.
    pub limit_bytes: u64,
    /// What of it cannot be evicted. Bytes.
    pub taken_bytes: u64,
}

impl MemoryLimit {
    /// The limits that a process in `group` has: that of the machine first, then those of the group and of all above it that allow
    /// less.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn all(group: Option<&MemoryGroup>) -> Result<Vec<Self>, MachineError> {
        let total = memory::total_bytes()?;
        let mut limits = vec![Self {
            group: None,
            limit_bytes: total,
            taken_bytes: total.saturating_sub(memory::available_bytes()?),
        }];
        for group in group.map(MemoryGroup::lineage).unwrap_or_default() {
            if let Some(limit_bytes) = group.limit_bytes().filter(|limit| *limit < total) {
                limits.push(Self {
                    limit_bytes,
                    taken_bytes: group.unreclaimable_bytes()?,
                    group: Some(group),
                });
            }
        }
        Ok(limits)
    }

    /// The one that leaves least to files.
    ///
    /// # Errors
    /// As [`MemoryLimit::all`].
    pub fn tightest(group: Option<&MemoryGroup>) -> Result<Self, MachineError> {
        let limits = Self::all(group)?.into_iter();
        let least = limits.min_by_key(Self::free_bytes);
        least.ok_or_else(|| MachineError::unreadable("/proc/meminfo", "no limit"))
    }

    /// What files may have of it: what is not used, and the page cache, which can be evicted. Bytes.
    #[must_use]
    pub fn free_bytes(&self) -> u64 {
        self.limit_bytes.saturating_sub(self.taken_bytes)
    }

    /// Where the group is.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.group.as_ref().map(MemoryGroup::path)
    }
}
