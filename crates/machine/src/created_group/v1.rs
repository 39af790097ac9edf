//! Version 1: one tree for each controller.

use super::controllers::Controllers;
use crate::cgroup::files::write;
use crate::cgroup::hierarchies::Hierarchies;
use crate::cgroup::memory::{MemoryGroup, Version};
use crate::cgroup::{DeviceNumber, IoLimits};
use crate::cgroup::{Limits, Quota};
use crate::{Deployment, MachineError};
use std::path::{Path, PathBuf};

/// A group's groups in the trees of version 1.
#[derive(Debug)]
pub(super) struct Groups {
    memory: MemoryGroup,
    /// Missing where the machine has no such controller; then there is nothing to count or limit.
    blkio: Option<PathBuf>,
    /// Only of a group whose processors are limited: the kernel shares processors out between such groups first, and
    /// between processes then.
    cpu: Option<PathBuf>,
}

impl Groups {
    pub(super) fn create(
        deployment: &Deployment,
        hierarchies: &Hierarchies,
        name: &str,
        limits: &Limits,
    ) -> Result<Self, MachineError> {
        let make = |controller: &str| -> Result<Option<PathBuf>, MachineError> {
            let Some(root) = hierarchies.v1.get(controller) else {
                return Ok(None);
            };
            let path = root.join(name);
            let _entry = deployment.make_group(&path)?;
            Ok(Some(path))
        };
        let memory = make("memory")?.ok_or_else(|| missing("memory"))?;
        let cpu = match limits.processors {
            Some(_) => Some(make("cpu")?.ok_or_else(|| missing("cpu"))?),
            None => None,
        };
        Ok(Self {
            memory: MemoryGroup::of(&memory, Version::One),
            blkio: make("blkio")?,
            cpu,
        })
    }
}

impl Controllers for Groups {
    fn groups(&self) -> Vec<PathBuf> {
        [
            Some(self.memory.path()),
            self.blkio.as_deref(),
            self.cpu.as_deref(),
        ]
        .into_iter()
        .flatten()
        .map(Path::to_owned)
        .collect()
    }

    fn memory(&self) -> &MemoryGroup {
        &self.memory
    }

    fn limit_processors(&self, quota: Quota) -> Result<(), MachineError> {
        let Some(group) = &self.cpu else {
            return Err(missing("cpu"));
        };
        write(&group.join("cpu.cfs_period_us"), quota.period_us)?;
        write(&group.join("cpu.cfs_quota_us"), quota.quota_us)
    }

    fn io_limit(
        &self,
        device: DeviceNumber,
        limits: IoLimits,
    ) -> Result<Vec<(PathBuf, String)>, MachineError> {
        let Some(group) = &self.blkio else {
            return match limits == IoLimits::default() {
                true => Ok(Vec::new()),
                false => Err(missing("blkio")),
            };
        };
        let throttle = |file: &str, limit: Option<u64>| {
            // Zero takes a limit away.
            (group.join(file), format!("{device} {}", limit.unwrap_or(0)))
        };
        Ok(vec![
            throttle("blkio.throttle.read_bps_device", limits.read_bytes_per_s),
            throttle("blkio.throttle.read_iops_device", limits.reads_per_s),
        ])
    }
}

fn missing(controller: &str) -> MachineError {
    MachineError::unusable(format!(
        "the {controller} controller of control groups is missing"
    ))
}
