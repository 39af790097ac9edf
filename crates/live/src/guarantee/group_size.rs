//! What a plan gives a memory group.

use crate::LiveError;
use hotset_machine::cgroup::MemoryGroup;
use serde::{Deserialize, Serialize};

/// What a plan gives a site's memory group for its files: held ones and page cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GroupSize {
    /// At most. Bytes.
    pub memory_bytes: u64,
    /// What nothing else may take. Bytes.
    pub floor_bytes: u64,
    /// What of the floor held files take. Bytes.
    #[serde(default)]
    pub held_bytes: u64,
}

impl GroupSize {
    /// With what the group's processes and the kernel need for them now.
    pub(super) fn with_server(self, group: &MemoryGroup) -> Result<Self, LiveError> {
        let usage = group.usage()?;
        Ok(self.with_own(usage.anonymous_bytes + usage.kernel_bytes))
    }

    /// With so many bytes on top, in whole pages, which is what the kernel keeps. Held files beyond the floor are not guaranteed.
    #[must_use]
    pub fn with_own(self, own_bytes: u64) -> Self {
        let page = hotset_machine::memory::page_bytes();
        let whole = |bytes: u64| bytes.saturating_add(own_bytes) / page * page;
        Self {
            memory_bytes: whole(self.memory_bytes),
            floor_bytes: whole(self.floor_bytes),
            held_bytes: whole(self.held_bytes.min(self.floor_bytes)),
        }
    }

    /// Of two groups that are one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            memory_bytes: self.memory_bytes.saturating_add(other.memory_bytes),
            floor_bytes: self.floor_bytes.saturating_add(other.floor_bytes),
            held_bytes: self.held_bytes.saturating_add(other.held_bytes),
        }
    }
}
