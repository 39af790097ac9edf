//! What a directory is on, as the kernel tells it.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

pub use crate::dirty_limits::{DirtyLimits, DirtyShare, DirtyThresholds};
pub use crate::journal::JournalInfo;
use crate::journal_place::journal_runs;
use crate::mount::{MountInfo, mounts};
pub use crate::network_mount::NetworkMount;
use rustix::fs::{major, minor, statvfs};
use serde::Serialize;

/// The file system of a directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct FileSystem {
    /// Its type: `ext4`, `nfs4`.
    pub kind: String,
    /// The device, or the server and its folder.
    pub source: PathBuf,
    /// Where it is mounted.
    pub mounted_at: PathBuf,
    /// Bytes of its blocks.
    pub block_bytes: Option<u64>,
    /// What the kernel reads ahead at most, KiB.
    pub read_ahead_kib: Option<u64>,
    /// Its journal; missing in early results, and of kinds of which the kernel tells nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub journal: Option<JournalInfo>,
    /// How much of what may be dirty may be its own; missing in early results, and where the kernel does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dirty_share: Option<DirtyShare>,
    /// How its mount asks other machines, or the program behind it; missing in early results, and of file systems on this machine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub network: Option<NetworkMount>,
    /// The block device underneath; nothing where it has none of its own.
    pub device: Option<Device>,
}

/// The journal of what is mounted, and where it begins.
fn journal(mounted: &MountInfo, block_bytes: Option<u64>) -> Option<JournalInfo> {
    let told = JournalInfo::of(mounted, block_bytes)?;
    let runs = journal_runs(&mounted.source).unwrap_or_default();
    Some(JournalInfo {
        at: runs.first().map(|run| run.start),
        ..told
    })
}

/// A block device.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Device {
    /// As in /sys/block.
    pub name: String,
    /// What its maker calls it.
    pub model: Option<String>,
    /// Whether it turns. Virtual disks often say so wrongly.
    pub rotational: Option<bool>,
    /// The I/O scheduler in force.
    pub scheduler: Option<String>,
    /// The largest request that it is given, KiB.
    pub max_request_kib: Option<u64>,
    /// Whether it has a volatile cache, which has to be flushed; missing in early results, and where the kernel does not tell.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub volatile_cache: Option<bool>,
    /// The RAID level of a software RAID: `raid0`.
    pub raid: Option<String>,
    /// Bytes on one device of a RAID before the next one's turn comes.
    pub chunk_bytes: Option<u64>,
    /// Devices that it consists of.
    pub parts: Vec<Part>,
    /// The file that a loop device shows.
    pub backing_file: Option<PathBuf>,
}

/// A device that another one consists of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Part {
    /// As in /sys/block.
    pub name: String,
    /// Whether it turns.
    pub rotational: Option<bool>,
    /// The I/O scheduler in force.
    pub scheduler: Option<String>,
}

impl FileSystem {
    /// The largest request that the device underneath is given, or the most that a call of the mount reads; nothing where there is
    /// none or the kernel does not tell.
    #[must_use]
    pub fn max_request_bytes(&self) -> Option<u64> {
        match &self.network {
            Some(network) => network.read_bytes,
            None => Some(self.device.as_ref()?.max_request_kib? << 10),
        }
    }

    /// Whether it is on other machines, or a program's.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.network.is_some()
    }

    /// That of an existing directory; nothing where the kernel does not tell.
    #[must_use]
    pub fn of(directory: &Path) -> Option<Self> {
        let directory = fs::canonicalize(directory).ok()?;
        let mounted = mounts().ok()?;
        // Of two mounted at one place, the later one is seen.
        let mounted = mounted
            .into_iter()
            .filter(|it| directory.starts_with(&it.path))
            .max_by_key(|it| it.path.components().count())?;
        let own = PathBuf::from("/sys/class/bdi").join(&mounted.device);
        let device = device_folder(&mounted);
        let queue = device.as_ref().map(|folder| folder.join("queue"));
        let ahead = number(&own.join("read_ahead_kb"));
        let block_bytes = statvfs(&directory).ok().map(|found| found.f_frsize);
        Some(Self {
            journal: journal(&mounted, block_bytes),
            network: NetworkMount::of(&mounted),
            dirty_share: DirtyShare::of(&own),
            block_bytes,
            read_ahead_kib: ahead.or_else(|| number(&queue?.join("read_ahead_kb"))),
            device: device.as_deref().and_then(Device::of),
            kind: mounted.kind,
            source: mounted.source,
            mounted_at: mounted.path,
        })
    }
}

/// The device's folder in /sys, that of the whole disk for a partition.
fn device_folder(mounted: &MountInfo) -> Option<PathBuf> {
    let by_number = |number: &str| fs::canonicalize(Path::new("/sys/dev/block").join(number)).ok();
    let by_source = || {
        let node = fs::metadata(&mounted.source).ok()?.rdev();
        by_number(&format!("{}:{}", major(node), minor(node)))
    };
    let is_path = mounted.source.starts_with("/dev");
    // File systems over several devices have a number of their own that is no device's.
    let folder = by_number(&mounted.device).or_else(|| by_source().filter(|_| is_path))?;
    match folder.join("partition").exists() {
        true => folder.parent().map(Path::to_owned),
        false => Some(folder),
    }
}

impl Device {
    fn of(folder: &Path) -> Option<Self> {
        let words = |name: &str| text(&folder.join(name));
        let scheduler = words("queue/scheduler");
        let parts = fs::read_dir(folder.join("slaves")).into_iter().flatten();
        let parts = parts.flatten().map(|entry| Part::of(&entry.path()));
        Some(Self {
            name: folder.file_name()?.to_string_lossy().into_owned(),
            model: words("device/model"),
            rotational: number(&folder.join("queue/rotational")).map(|turns| turns == 1),
            scheduler: scheduler.map(|all| in_force(&all)),
            max_request_kib: number(&folder.join("queue/max_sectors_kb")),
            volatile_cache: words("queue/write_cache").map(|it| it == "write back"),
            raid: words("md/level"),
            chunk_bytes: number(&folder.join("md/chunk_size")).filter(|&bytes| bytes > 0),
            parts: parts.collect(),
            backing_file: words("loop/backing_file").map(PathBuf::from),
        })
    }
}

impl Part {
    /// That of a link to its folder. Only whole disks have a queue, so a partition shows that of its disk.
    fn of(link: &Path) -> Self {
        let name = link.file_name().unwrap_or_default();
        let folder = fs::canonicalize(link).unwrap_or_else(|_| link.to_owned());
        let own = folder.join("queue");
        let queue = match (own.exists(), folder.parent()) {
            (false, Some(disk)) => disk.join("queue"),
            _ => own,
        };
        Self {
            name: name.to_string_lossy().into_owned(),
            rotational: number(&queue.join("rotational")).map(|turns| turns == 1),
            scheduler: text(&queue.join("scheduler")).map(|all| in_force(&all)),
        }
    }
}

/// The name in brackets; the only one where none is.
fn in_force(all: &str) -> String {
    let inner = all
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    inner.map_or(all, |(name, _)| name).to_owned()
}

fn text(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned()).filter(|text| !text.is_empty())
}

fn number(path: &Path) -> Option<u64> {
    text(path)?.parse().ok()
}
