//! Version 2: one tree for all controllers. The group that keeps track of a node's processes is also the one that
//! limits them.

use super::{
    Controllers, DeviceNumber, IoCounters, IoLimits, Limits, MemoryUsage, keyed, number, write,
};
use crate::error::OnFile;
use crate::resource::Resource;
use crate::{Lab, LabError};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Those a node needs, in the order of their names.
const NEEDED: [&str; 3] = ["cpuset", "io", "memory"];

/// A node's group in the tree of version 2.
#[derive(Debug)]
pub(super) struct Group {
    path: PathBuf,
}

/// The controllers that a group may hand on.
pub(super) fn controllers(group: &Path) -> BTreeSet<String> {
    words(&group.join("cgroup.controllers"))
}

fn words(path: &Path) -> BTreeSet<String> {
    fs::read_to_string(path)
        .unwrap_or_default()
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

impl Group {
    /// Sees that the controllers are on for the children of `root`, and goes by `path`, which is made afterwards.
    pub(super) fn prepare(lab: &Lab, root: &Path, path: &Path) -> Result<Self, LabError> {
        let there = controllers(root);
        if !there.contains("memory") {
            return Err(LabError::Unusable(format!(
                "control groups at {} have no memory controller; start the kernel with cgroup_enable=memory",
                root.display()
            )));
        }
        let switch = root.join("cgroup.subtree_control");
        let on = words(&switch);
        let off = |name: &&&str| there.contains(**name) && !on.contains(**name);
        let names: Vec<String> = NEEDED
            .iter()
            .filter(off)
            .map(|name| (*name).to_owned())
            .collect();
        if !names.is_empty() {
            let text: Vec<String> = names.iter().map(|name| format!("+{name}")).collect();
            let resource = Resource::Controllers {
                group: root.to_owned(),
                names,
            };
            let _entry = lab.make(resource, || write(&switch, text.join(" ")))?;
        }
        Ok(Self {
            path: path.to_owned(),
        })
    }

    fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }
}

impl Controllers for Group {
    fn groups(&self) -> Vec<PathBuf> {
        Vec::new()
    }

    fn limit(&self, limits: &Limits) -> Result<(), LabError> {
        if let Some(bytes) = limits.memory_bytes {
            write(&self.file("memory.max"), bytes)?;
        }
        match &limits.cpus {
            Some(cpus) => write(&self.file("cpuset.cpus"), cpus),
            None => Ok(()),
        }
    }

    fn usage(&self) -> Result<MemoryUsage, LabError> {
        let stat = keyed(&self.file("memory.stat"))?;
        let of = |name: &str| stat.get(name).copied().unwrap_or(0);
        Ok(MemoryUsage {
            total_bytes: number(&self.file("memory.current"))?,
            // Without a limit it says "max".
            limit_bytes: number(&self.file("memory.max")).unwrap_or(u64::MAX),
            cache_bytes: of("file"),
            shared_bytes: of("shmem"),
            anonymous_bytes: of("anon"),
            kernel_bytes: of("kernel"),
            unevictable_bytes: of("unevictable"),
            limit_hits: keyed(&self.file("memory.events"))?
                .get("max")
                .copied()
                .unwrap_or(0),
            refaulted_pages: stat.get("workingset_refault_file").copied(),
            major_faults: of("pgmajfault"),
        })
    }

    fn reclaim(&self) -> Result<(), LabError> {
        let path = self.file("memory.reclaim");
        match fs::write(&path, number(&self.file("memory.current"))?.to_string()) {
            // It reclaimed less than was asked for: what is in use cannot go.
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => Ok(()),
            other => other.on("write", path),
        }
    }

    fn io(&self) -> Result<BTreeMap<DeviceNumber, IoCounters>, LabError> {
        let path = self.file("io.stat");
        let text = fs::read_to_string(&path).on("read", path)?;
        Ok(text.lines().filter_map(counters).collect())
    }

    fn limit_io(&self, device: DeviceNumber, limits: IoLimits) -> Result<(), LabError> {
        let value =
            |limit: Option<u64>| limit.map_or_else(|| "max".to_owned(), |limit| limit.to_string());
        let (bytes, requests) = (value(limits.read_bytes_per_s), value(limits.reads_per_s));
        write(
            &self.file("io.max"),
            format_args!("{device} rbps={bytes} riops={requests}"),
        )
    }
}

/// Reads "major:minor rbytes=… wbytes=… rios=… wios=…".
fn counters(line: &str) -> Option<(DeviceNumber, IoCounters)> {
    let (device, rest) = line.split_once(' ')?;
    let mut counters = IoCounters::default();
    for (name, value) in rest.split(' ').filter_map(|pair| pair.split_once('=')) {
        let value = value.parse().unwrap_or(0);
        match name {
            "rbytes" => counters.read_bytes = value,
            "wbytes" => counters.write_bytes = value,
            "rios" => counters.reads = value,
            "wios" => counters.writes = value,
            _ => {}
        }
    }
    Some((DeviceNumber::parse(device)?, counters))
}
