//! Disks: a block device under a store, of one of three kinds.
//!
//! | kind | what it is for |
//! | --- | --- |
//! | [`Plain`] | the machine's own disk, past its page cache |
//! | [`Throttled`] | a ceiling on bandwidth: sequential reads have the right time, random ones do not |
//! | [`Seeking`] | head, seek and rotation: both have |

mod loop_device;
mod plain;
pub mod seeking;
mod throttled;

pub use plain::Plain;
pub use seeking::Seeking;
pub use throttled::Throttled;

use crate::LabError;
use hotset_machine::{MachineError, OnFile};
use std::fmt;
use std::fs;
use std::path::Path;

/// The read-ahead of a disk in Linux, in KiB. A loop device's own is twenty times that.
pub const READ_AHEAD_KIB: u32 = 128;

/// A block device of the run.
pub trait Disk: Send + Sync + fmt::Debug {
    /// Its device file.
    fn device(&self) -> &Path;

    /// Switches its slowness off for preparations and on again for measurements. A disk that has none ignores it.
    ///
    /// # Errors
    /// When the disk cannot be told.
    fn set_delays(&self, on: bool) -> Result<(), LabError>;

    /// What it has done since it was made.
    ///
    /// # Errors
    /// When the kernel's file cannot be read.
    fn counters(&self) -> Result<DiskCounters, LabError> {
        counters(self.device())
    }

    /// What its drive has done with its delays on; nothing for a disk that models none.
    ///
    /// # Errors
    /// When the drive does not answer.
    fn statistics(&self) -> Result<Option<seeking::Statistics>, LabError> {
        Ok(None)
    }
}

/// What a disk has done, as the kernel counts it (Documentation/block/stat.rst).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DiskCounters {
    /// Requests to read, after merging.
    pub reads: u64,
    /// Bytes read.
    pub read_bytes: u64,
    /// Time of all reads from being queued to being done, in microseconds; a millisecond's resolution.
    pub read_time_us: u64,
    /// Requests to write, after merging.
    pub writes: u64,
    /// Bytes written.
    pub write_bytes: u64,
    /// Time of all writes, in microseconds.
    pub write_time_us: u64,
    /// Requests that wait or are being done now.
    pub in_flight: u64,
    /// Time with something to do, in microseconds.
    pub busy_us: u64,
}

fn counters(device: &Path) -> Result<DiskCounters, LabError> {
    let name = device.file_name().unwrap_or_default();
    let path = Path::new("/sys/block").join(name).join("stat");
    let text = fs::read_to_string(&path).on("read", &path)?;
    let fields: Vec<u64> = text
        .split_whitespace()
        .filter_map(|field| field.parse().ok())
        .collect();
    let [
        reads,
        _,
        read_sectors,
        read_ms,
        writes,
        _,
        write_sectors,
        write_ms,
        in_flight,
        busy_ms,
        ..,
    ] = fields[..]
    else {
        let problem = format!("cannot read {text:?}");
        return Err(MachineError::Unreadable { path, problem }.into());
    };
    Ok(DiskCounters {
        reads,
        read_bytes: read_sectors * 512,
        read_time_us: read_ms * 1000,
        writes,
        write_bytes: write_sectors * 512,
        write_time_us: write_ms * 1000,
        in_flight,
        busy_us: busy_ms * 1000,
    })
}
