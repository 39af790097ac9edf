//! Version 1: one tree for each controller.

use super::controllers::Controllers;
use crate::cgroup::CpuSet;
use crate::cgroup::files::write;
use crate::cgroup::hierarchies::Hierarchies;
use crate::cgroup::memory::{MemoryGroup, Version};
use crate::cgroup::{DeviceNumber, IoLimits};
use crate::{Deployment, MachineError, OnFile};
use std::fs;
use std::path::{Path, PathBuf};

/// A group's groups in the trees of version 1.
#[derive(Debug)]
pub(super) struct Groups {
    memory: MemoryGroup,
    /// Missing where the machine has no such controller; then there is nothing to count or limit.
    blkio: Option<PathBuf>,
    cpuset: Option<PathBuf>,
}

impl Groups {
    pub(super) fn create(
        deployment: &Deployment,
        hierarchies: &Hierarchies,
        name: &str,
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
        let groups = Self {
            memory: MemoryGroup::of(&memory, Version::One),
            blkio: make("blkio")?,
            cpuset: make("cpuset")?,
        };
        groups.inherit_cpuset()?;
        Ok(groups)
    }

    /// A new cpuset is empty and takes no process until it has memory nodes and processors.
    fn inherit_cpuset(&self) -> Result<(), MachineError> {
        let Some(group) = &self.cpuset else {
            return Ok(());
        };
        let Some(parent) = group.parent() else {
            return Ok(());
        };
        for name in ["cpuset.mems", "cpuset.cpus"] {
            let from = parent.join(name);
            let value = fs::read_to_string(&from).on("read", from)?;
            write(&group.join(name), value.trim())?;
        }
        Ok(())
    }

    fn throttle(
        &self,
        file: &str,
        device: DeviceNumber,
        limit: Option<u64>,
    ) -> Result<(), MachineError> {
        match &self.blkio {
            // Zero takes a limit away.
            Some(group) => write(
                &group.join(file),
                format_args!("{device} {}", limit.unwrap_or(0)),
            ),
            None if limit.is_none() => Ok(()),
            None => Err(missing("blkio")),
        }
    }
}

impl Controllers for Groups {
    fn groups(&self) -> Vec<PathBuf> {
        [
            Some(self.memory.path()),
            self.blkio.as_deref(),
            self.cpuset.as_deref(),
        ]
        .into_iter()
        .flatten()
        .map(Path::to_owned)
        .collect()
    }

    fn memory(&self) -> &MemoryGroup {
        &self.memory
    }

    fn limit_cpus(&self, cpus: &CpuSet) -> Result<(), MachineError> {
        match &self.cpuset {
            Some(group) => write(&group.join("cpuset.cpus"), cpus),
            None => Err(missing("cpuset")),
        }
    }

    fn limit_io(&self, device: DeviceNumber, limits: IoLimits) -> Result<(), MachineError> {
        self.throttle(
            "blkio.throttle.read_bps_device",
            device,
            limits.read_bytes_per_s,
        )?;
        self.throttle(
            "blkio.throttle.read_iops_device",
            device,
            limits.reads_per_s,
        )
    }
}

fn missing(controller: &str) -> MachineError {
    MachineError::unusable(format!(
        "the {controller} controller of control groups is missing"
    ))
}
