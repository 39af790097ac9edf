//! What the kernel guarantees a server's memory group. Version 2 of control groups knows floors; with version 1, the groups
//! beside it are limited.

mod floor;
mod neighbours;

use crate::LiveError;
use floor::Floor;
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::ledger::Ledger;
use neighbours::Neighbours;
use serde::{Deserialize, Serialize};
use std::path::Path;

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
    fn with_server(self, group: &MemoryGroup) -> Result<Self, LiveError> {
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

/// A guarantee that stands until it is dropped.
trait Kept {
    /// Sets again what others have changed, and follows what others need. What is not as it should be.
    fn renew(&mut self) -> Result<(), LiveError>;
}

/// What the kernel guarantees a group.
pub(crate) struct Guarantee<'l>(Box<dyn Kept + 'l>);

impl<'l> Guarantee<'l> {
    /// Guarantees a server's group what a plan gives its files, and on top what its processes and the kernel need for them now.
    /// `owner` is the folder of whoever asks.
    ///
    /// # Errors
    /// When the kernel or systemd refuses.
    pub fn make(
        ledger: &'l Ledger,
        group: &MemoryGroup,
        size: GroupSize,
        owner: &Path,
    ) -> Result<Self, LiveError> {
        let size = size.with_server(group)?;
        Ok(Self(match group.is_unified() {
            true => Box::new(Floor::make(ledger, group, size, owner)?),
            false => Box::new(Neighbours::limit(ledger, group, size)?),
        }))
    }

    /// Looks whether it can be made, and makes nothing.
    ///
    /// # Errors
    /// When the groups beside cannot give back what it takes.
    pub fn check(group: &MemoryGroup, size: GroupSize) -> Result<(), LiveError> {
        let size = size.with_server(group)?;
        match group.is_unified() {
            true => Ok(()),
            false => Neighbours::check(group, size),
        }
    }

    /// Sets again what others have changed, and follows what others need.
    ///
    /// # Errors
    /// What is not as it should be.
    pub fn renew(&mut self) -> Result<(), LiveError> {
        self.0.renew()
    }
}
