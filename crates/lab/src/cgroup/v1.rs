//! Version 1: one tree for each controller.

use super::{
    Controllers, DeviceNumber, Hierarchies, IoCounters, IoLimits, Limits, MemoryUsage, keyed,
    make_group, number, write,
};
use crate::error::OnFile;
use crate::{Lab, LabError};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A node's groups in the trees of version 1.
#[derive(Debug)]
pub(super) struct Groups {
    memory: PathBuf,
    /// Missing where the machine has no such controller; then there is nothing to count or limit.
    blkio: Option<PathBuf>,
    cpuset: Option<PathBuf>,
}

impl Groups {
    pub(super) fn create(
        lab: &Lab,
        hierarchies: &Hierarchies,
        name: &str,
    ) -> Result<Self, LabError> {
        let make = |controller: &str| -> Result<Option<PathBuf>, LabError> {
            let Some(root) = hierarchies.v1.get(controller) else {
                return Ok(None);
            };
            let path = root.join(name);
            let _entry = make_group(lab, &path)?;
            Ok(Some(path))
        };
        let memory = make("memory")?.ok_or_else(|| {
            LabError::Unusable("the memory controller of control groups is missing".to_owned())
        })?;
        let groups = Self {
            memory,
            blkio: make("blkio")?,
            cpuset: make("cpuset")?,
        };
        groups.inherit_cpuset()?;
        Ok(groups)
    }

    /// A new cpuset is empty and takes no process until it has memory nodes and processors.
    fn inherit_cpuset(&self) -> Result<(), LabError> {
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
    ) -> Result<(), LabError> {
        match &self.blkio {
            // Zero takes a limit away.
            Some(group) => write(
                &group.join(file),
                format_args!("{device} {}", limit.unwrap_or(0)),
            ),
            None if limit.is_none() => Ok(()),
            None => Err(LabError::Unusable(
                "the blkio controller of control groups is missing".to_owned(),
            )),
        }
    }
}

impl Controllers for Groups {
    fn groups(&self) -> Vec<PathBuf> {
        [
            Some(&self.memory),
            self.blkio.as_ref(),
            self.cpuset.as_ref(),
        ]
        .into_iter()
        .flatten()
        .cloned()
        .collect()
    }

    fn limit(&self, limits: &Limits) -> Result<(), LabError> {
        if let Some(bytes) = limits.memory_bytes {
            write(&self.memory.join("memory.limit_in_bytes"), bytes)?;
        }
        match (&self.cpuset, &limits.cpus) {
            (Some(group), Some(cpus)) => write(&group.join("cpuset.cpus"), cpus),
            (None, Some(_)) => Err(LabError::Unusable(
                "the cpuset controller of control groups is missing".to_owned(),
            )),
            (_, None) => Ok(()),
        }
    }

    fn usage(&self) -> Result<MemoryUsage, LabError> {
        let stat = keyed(&self.memory.join("memory.stat"))?;
        let of = |name: &str| stat.get(name).copied().unwrap_or(0);
        Ok(MemoryUsage {
            total_bytes: number(&self.memory.join("memory.usage_in_bytes"))?,
            limit_bytes: number(&self.memory.join("memory.limit_in_bytes"))?,
            cache_bytes: of("cache"),
            shared_bytes: of("shmem"),
            anonymous_bytes: of("rss"),
            kernel_bytes: number(&self.memory.join("memory.kmem.usage_in_bytes"))?,
            unevictable_bytes: of("unevictable"),
            limit_hits: number(&self.memory.join("memory.failcnt"))?,
            refaulted_pages: stat.get("workingset_refault_file").copied(),
            major_faults: of("pgmajfault"),
        })
    }

    fn reclaim(&self) -> Result<(), LabError> {
        write(&self.memory.join("memory.force_empty"), 0)
    }

    fn io(&self) -> Result<BTreeMap<DeviceNumber, IoCounters>, LabError> {
        let mut counters = BTreeMap::new();
        let Some(group) = &self.blkio else {
            return Ok(counters);
        };
        each(
            &group.join("blkio.throttle.io_service_bytes"),
            &mut counters,
            |counter, kind, value| match kind {
                "Read" => counter.read_bytes = value,
                "Write" => counter.write_bytes = value,
                _ => {}
            },
        )?;
        each(
            &group.join("blkio.throttle.io_serviced"),
            &mut counters,
            |counter, kind, value| match kind {
                "Read" => counter.reads = value,
                "Write" => counter.writes = value,
                _ => {}
            },
        )?;
        Ok(counters)
    }

    fn limit_io(&self, device: DeviceNumber, limits: IoLimits) -> Result<(), LabError> {
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

/// Reads "major:minor Kind value" lines.
fn each(
    path: &Path,
    counters: &mut BTreeMap<DeviceNumber, IoCounters>,
    mut set: impl FnMut(&mut IoCounters, &str, u64),
) -> Result<(), LabError> {
    let text = fs::read_to_string(path).on("read", path)?;
    for line in text.lines() {
        let mut words = line.split(' ');
        let device = words.next().and_then(DeviceNumber::parse);
        let (Some(device), Some(kind), Some(value)) = (device, words.next(), words.next()) else {
            continue;
        };
        set(
            counters.entry(device).or_default(),
            kind,
            value.parse().unwrap_or(0),
        );
    }
    Ok(())
}
