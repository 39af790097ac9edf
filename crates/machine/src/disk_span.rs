//! Where on a disk a file system lies.

use crate::cgroup::DeviceNumber;
use crate::file_system::FileSystem;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The kernel counts in sectors of this size, whatever the device's.
const SECTOR_BYTES: u64 = 512;

/// The disk under a file system, and the part of it that is the file system's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskSpan {
    /// The disk.
    pub disk: DeviceNumber,
    /// Bytes of it: all, or those of a partition.
    pub bytes: Range<u64>,
    /// The disk, or the partition.
    pub device: PathBuf,
}

impl DiskSpan {
    /// That of an existing directory; nothing where it is on no block device, or on one over others, such as a RAID or a logical volume: those have no
    /// requests of their own.
    #[must_use]
    pub fn of(directory: &Path) -> Option<Self> {
        let device = FileSystem::of(directory)?.source;
        let number = DeviceNumber::of(&device).ok()?;
        let folder = Path::new("/sys/dev/block").join(number.to_string());
        let folder = fs::canonicalize(folder).ok()?;
        let others = fs::read_dir(folder.join("slaves"));
        if others.is_ok_and(|mut others| others.next().is_some()) {
            return None;
        }
        let bytes =
            |name: &str| Some(text(&folder.join(name))?.parse::<u64>().ok()? * SECTOR_BYTES);
        let (disk, start) = match folder.join("partition").exists() {
            true => (whole_disk(folder.parent()?)?, bytes("start")?),
            false => (number, 0),
        };
        Some(Self {
            disk,
            bytes: start..start + bytes("size")?,
            device,
        })
    }
}

/// The disk whose folder in /sys this is.
fn whole_disk(folder: &Path) -> Option<DeviceNumber> {
    let numbers = text(&folder.join("dev"))?;
    let (major, minor) = numbers.split_once(':')?;
    Some(DeviceNumber {
        major: major.parse().ok()?,
        minor: minor.parse().ok()?,
    })
}

fn text(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    Some(text.trim().to_owned())
}
