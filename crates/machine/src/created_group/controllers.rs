//! What both versions of control groups do for a group.

use crate::MachineError;
use crate::cgroup::Quota;
use crate::cgroup::memory::MemoryGroup;
use crate::cgroup::{DeviceNumber, IoLimits};
use std::fmt;
use std::path::PathBuf;

/// One version of control groups.
pub(super) trait Controllers: Send + Sync + fmt::Debug {
    /// The groups that a process joins, beside the one that keeps track of it.
    fn groups(&self) -> Vec<PathBuf>;
    fn memory(&self) -> &MemoryGroup;
    fn limit_processors(&self, quota: Quota) -> Result<(), MachineError>;
    /// The files that limit its traffic with a device, and what has to be written to them.
    fn io_limit(
        &self,
        device: DeviceNumber,
        limits: IoLimits,
    ) -> Result<Vec<(PathBuf, String)>, MachineError>;
}
