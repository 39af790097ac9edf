//! A node's share of the machine: a memory limit that includes its page cache, a set of processors, its disk
//! traffic; by control groups of either version.

mod v1;
mod v2;

use crate::error::OnFile;
use crate::resource::{Resource, Undone};
use crate::{Lab, LabError, procfs};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Killed processes may wait for a slow disk before they go.
const KILL_PATIENCE: Duration = Duration::from_secs(20);

/// Where the machine's control groups are mounted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hierarchies {
    /// The version 2 tree. The lab keeps track of its processes there; that needs no controller.
    pub unified: Option<PathBuf>,
    /// Version 1 trees by controller.
    pub v1: BTreeMap<String, PathBuf>,
}

impl Hierarchies {
    /// Reads /proc/self/mountinfo.
    ///
    /// # Errors
    /// When that is not possible.
    pub fn detect() -> Result<Self, LabError> {
        let mut found = Self::default();
        for mounted in procfs::mounts()? {
            match mounted.kind.as_str() {
                "cgroup2" => found.unified = Some(mounted.path),
                "cgroup" => {
                    for option in mounted.options.split(',') {
                        found.v1.insert(option.to_owned(), mounted.path.clone());
                    }
                }
                _ => {}
            }
        }
        Ok(found)
    }

    /// Where memory is limited: by version 1 if its controller is there.
    #[must_use]
    pub fn has_memory(&self) -> bool {
        self.v1.contains_key("memory")
            || self
                .unified
                .as_deref()
                .is_some_and(|root| v2::controllers(root).contains("memory"))
    }

    pub(crate) fn tracking(&self) -> Result<&Path, LabError> {
        self.unified.as_deref().ok_or_else(|| {
            LabError::Unusable(
                "no version 2 control groups are mounted: `mount -t cgroup2 none /sys/fs/cgroup/unified`".to_owned(),
            )
        })
    }
}

/// Processors by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuSet(pub Vec<usize>);

impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

/// What a node may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Memory of its processes, their page cache and the kernel's memory on their behalf; all of the machine's
    /// without.
    pub memory_bytes: Option<u64>,
    /// Processors; all without.
    pub cpus: Option<CpuSet>,
}

/// What a node's memory is used for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryUsage {
    /// All that counts against the limit.
    pub total_bytes: u64,
    /// The limit.
    pub limit_bytes: u64,
    /// Files' pages: the page cache, and files in ramfs and tmpfs.
    pub cache_bytes: u64,
    /// The part of it in tmpfs and shared memory; ramfs counts as unevictable only.
    pub shared_bytes: u64,
    /// Processes' own memory.
    pub anonymous_bytes: u64,
    /// The kernel's memory for the node: directory entries, inodes, sockets, page tables.
    pub kernel_bytes: u64,
    /// What reclaim cannot take: locked pages, ramfs.
    pub unevictable_bytes: u64,
    /// How often a request met the limit.
    pub limit_hits: u64,
    /// Pages of files read again after they had been evicted; where the kernel counts them.
    pub refaulted_pages: Option<u64>,
    /// Page faults that had to read.
    pub major_faults: u64,
}

/// A block device by its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct DeviceNumber {
    /// Driver.
    pub major: u32,
    /// Device.
    pub minor: u32,
}

impl DeviceNumber {
    /// The numbers of the block device at `path`.
    ///
    /// # Errors
    /// When it cannot be looked up.
    pub fn of(path: &Path) -> Result<Self, LabError> {
        let device = rustix::fs::stat(path).on("look up", path)?.st_rdev;
        Ok(Self {
            major: rustix::fs::major(device),
            minor: rustix::fs::minor(device),
        })
    }

    fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once(':')?;
        Some(Self {
            major: major.parse().ok()?,
            minor: minor.parse().ok()?,
        })
    }
}

impl fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

/// A group's traffic with one device.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IoCounters {
    /// Requests to read.
    pub reads: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Requests to write.
    pub writes: u64,
    /// Bytes written.
    pub write_bytes: u64,
}

/// A ceiling on a group's traffic with one device; none where `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IoLimits {
    /// Bytes read in a second.
    pub read_bytes_per_s: Option<u64>,
    /// Requests to read in a second.
    pub reads_per_s: Option<u64>,
}

/// What one version of control groups does for a node.
trait Controllers: Send + Sync + fmt::Debug {
    /// The groups a process of the node joins, beside the one that keeps track of it.
    fn groups(&self) -> Vec<PathBuf>;
    fn limit(&self, limits: &Limits) -> Result<(), LabError>;
    fn usage(&self) -> Result<MemoryUsage, LabError>;
    /// Asks the kernel once to evict what it can.
    fn reclaim(&self) -> Result<(), LabError>;
    fn io(&self) -> Result<BTreeMap<DeviceNumber, IoCounters>, LabError>;
    fn limit_io(&self, device: DeviceNumber, limits: IoLimits) -> Result<(), LabError>;
}

/// A node's group.
#[derive(Debug)]
pub struct NodeGroup {
    home: PathBuf,
    controllers: Box<dyn Controllers>,
}

impl NodeGroup {
    /// Makes the group of a node.
    ///
    /// # Errors
    /// When there is no memory controller or a group cannot be made.
    pub fn create(lab: &Lab, node: &str, limits: &Limits) -> Result<Self, LabError> {
        Self::create_in(lab, lab.hierarchies(), node, limits)
    }

    /// Makes it in these hierarchies rather than the machine's.
    ///
    /// # Errors
    /// As [`NodeGroup::create`].
    pub fn create_in(
        lab: &Lab,
        hierarchies: &Hierarchies,
        node: &str,
        limits: &Limits,
    ) -> Result<Self, LabError> {
        let name = lab.name(node);
        let home = hierarchies.tracking()?.join(&name);
        let controllers: Box<dyn Controllers> = if hierarchies.v1.contains_key("memory") {
            Box::new(v1::Groups::create(lab, hierarchies, &name)?)
        } else {
            Box::new(v2::Group::prepare(lab, hierarchies.tracking()?, &home)?)
        };
        let _entry = make_group(lab, &home)?;
        controllers.limit(limits)?;
        Ok(Self { home, controllers })
    }

    /// Puts a running process into the group.
    ///
    /// # Errors
    /// When it is gone, or the group refuses it.
    pub fn adopt(&self, pid: u32) -> Result<(), LabError> {
        for group in self.controllers.groups().iter().chain([&self.home]) {
            let path = group.join("cgroup.procs");
            fs::write(&path, pid.to_string()).on("write", path)?;
        }
        Ok(())
    }

    /// What the group's memory is used for.
    ///
    /// # Errors
    /// When the kernel's files cannot be read.
    pub fn usage(&self) -> Result<MemoryUsage, LabError> {
        self.controllers.usage()
    }

    /// Evicts what the group has cached, and nothing of another group. What is locked, in a memory file system, or dirty
    /// beyond writing stays. Returns the usage after it.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn force_empty(&self) -> Result<MemoryUsage, LabError> {
        let mut before = self.usage()?;
        loop {
            self.controllers.reclaim()?;
            let after = self.usage()?;
            if after.total_bytes >= before.total_bytes {
                return Ok(after);
            }
            before = after;
        }
    }

    /// The group's traffic by device.
    ///
    /// # Errors
    /// When the kernel's files cannot be read.
    pub fn io(&self) -> Result<BTreeMap<DeviceNumber, IoCounters>, LabError> {
        self.controllers.io()
    }

    /// Limits the group's traffic with a device.
    ///
    /// # Errors
    /// When the kernel refuses.
    pub fn limit_io(&self, device: DeviceNumber, limits: IoLimits) -> Result<(), LabError> {
        self.controllers.limit_io(device, limits)
    }

    /// Changes what the node may use.
    ///
    /// # Errors
    /// When the kernel refuses, as it does for less memory than cannot be reclaimed.
    pub fn limit(&self, limits: &Limits) -> Result<(), LabError> {
        self.controllers.limit(limits)
    }

    /// Where the groups of the node's processes are made.
    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn joined(&self) -> Vec<PathBuf> {
        self.controllers.groups()
    }
}

/// Makes one group.
pub(crate) fn make_group(lab: &Lab, path: &Path) -> Result<crate::ledger::Entry, LabError> {
    let make = || fs::create_dir(path).on("make", path);
    Ok(lab.make(Resource::Group(path.to_owned()), make)?.0)
}

/// Kills what is in a group and in the groups below, and removes them.
pub(crate) fn remove(group: &Path) -> Result<Undone, LabError> {
    if !group.exists() {
        return Ok(Undone::Absent);
    }
    let give_up = Instant::now() + KILL_PATIENCE;
    loop {
        kill_all(group);
        match remove_empty(group) {
            Ok(()) => return Ok(Undone::Removed),
            Err(error) if Instant::now() > give_up => return Err(error).on("remove", group),
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn kill_all(group: &Path) {
    // Where the kernel has no such file, or it is version 1, the processes are killed one by one.
    let at_once = group.join("cgroup.kill");
    if at_once.exists() && fs::write(at_once, "1").is_ok() {
        return;
    }
    for pid in members(group) {
        if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
            // It may be gone by now.
            let _gone = kill_process(pid, Signal::KILL);
        }
    }
}

/// The processes in a group and in the groups below.
pub(crate) fn members(group: &Path) -> Vec<u32> {
    let own = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    let mut members: Vec<u32> = own.lines().filter_map(|line| line.parse().ok()).collect();
    for inner in inner_groups(group) {
        members.extend(self::members(&inner));
    }
    members
}

fn inner_groups(group: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(group).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

fn remove_empty(group: &Path) -> std::io::Result<()> {
    for inner in inner_groups(group) {
        remove_empty(&inner)?;
    }
    fs::remove_dir(group)
}

/// Reads "name value" lines.
fn keyed(path: &Path) -> Result<BTreeMap<String, u64>, LabError> {
    let text = fs::read_to_string(path).on("read", path)?;
    let pair = |line: &str| {
        let (name, value) = line.split_once(' ')?;
        Some((name.to_owned(), value.trim().parse().ok()?))
    };
    Ok(text.lines().filter_map(pair).collect())
}

fn number(path: &Path) -> Result<u64, LabError> {
    let text = fs::read_to_string(path).on("read", path)?;
    let parsed = text.trim().parse();
    parsed.map_err(|_| LabError::Unreadable {
        path: path.to_owned(),
        problem: "is no number".to_owned(),
    })
}

fn write(path: &Path, value: impl fmt::Display) -> Result<(), LabError> {
    fs::write(path, value.to_string()).on("write", path)
}

/// Processor time used in a version 2 group, in microseconds. The kernel counts it without any controller, and what
/// processes that have ended used is in it.
pub(crate) fn cpu_us(group: &Path) -> Result<u64, LabError> {
    let path = group.join("cpu.stat");
    let stat = keyed(&path)?;
    stat.get("usage_usec")
        .copied()
        .ok_or_else(|| LabError::Unreadable {
            path,
            problem: "no usage_usec".to_owned(),
        })
}
