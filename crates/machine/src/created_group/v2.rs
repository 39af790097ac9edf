//! Version 2: one tree for all controllers. The group that keeps track of the processes is also the one that
//! limits them.

use super::controllers::Controllers;
use crate::cgroup::files::write;
use crate::cgroup::hierarchies::{controllers, words};
use crate::cgroup::memory::{MemoryGroup, Version};
use crate::cgroup::{DeviceNumber, IoLimits};
use crate::cgroup::{Limits, Quota};
use crate::resource::Resource;
use crate::{Deployment, MachineError};
use std::path::{Path, PathBuf};

/// Those every group needs, in the order of their names.
const NEEDED: [&str; 2] = ["io", "memory"];
/// What one needs whose processors are limited.
const PROCESSORS: &str = "cpu";

/// A group in the tree of version 2.
#[derive(Debug)]
pub(super) struct Group {
    memory: MemoryGroup,
}

impl Group {
    /// Sees that the controllers are on for the children of `parent`, and makes the group at `path`.
    pub(super) fn create(
        deployment: &Deployment,
        parent: &Path,
        path: &Path,
        limits: &Limits,
    ) -> Result<Self, MachineError> {
        let there = controllers(parent);
        if !there.contains("memory") {
            return Err(MachineError::Unusable(format!(
                "control groups at {} have no memory controller; start the kernel with cgroup_enable=memory",
                parent.display()
            )));
        }
        let switch = parent.join("cgroup.subtree_control");
        let on = words(&switch);
        let off = |name: &&&str| there.contains(**name) && !on.contains(**name);
        let processors = limits.processors.map(|_| PROCESSORS);
        let needed: Vec<&str> = processors.into_iter().chain(NEEDED).collect();
        let names: Vec<String> = needed
            .iter()
            .filter(off)
            .map(|name| (*name).to_owned())
            .collect();
        if !names.is_empty() {
            let text: Vec<String> = names.iter().map(|name| format!("+{name}")).collect();
            let resource = Resource::Controllers {
                group: parent.to_owned(),
                names,
            };
            let _entry = deployment.make(resource, || write(&switch, text.join(" ")))?;
        }
        let _entry = deployment.make_group(path)?;
        Ok(Self {
            memory: MemoryGroup::of(path, Version::Two),
        })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.memory.path().join(name)
    }
}

impl Controllers for Group {
    fn groups(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn memory(&self) -> &MemoryGroup {
        &self.memory
    }

    fn limit_processors(&self, quota: Quota) -> Result<(), MachineError> {
        write(
            &self.file("cpu.max"),
            format_args!("{} {}", quota.quota_us, quota.period_us),
        )
    }

    fn io_limit(
        &self,
        device: DeviceNumber,
        limits: IoLimits,
    ) -> Result<Vec<(PathBuf, String)>, MachineError> {
        let value =
            |limit: Option<u64>| limit.map_or_else(|| "max".to_owned(), |limit| limit.to_string());
        let (bytes, requests) = (value(limits.read_bytes_per_s), value(limits.reads_per_s));
        let text = format!("{device} rbps={bytes} riops={requests}");
        Ok(vec![(self.file("io.max"), text)])
    }
}
