//! A block device, and what it has done.

use super::seeking::statistics::Statistics;
use crate::LabError;
use crate::deed::Deed;
use hotset_machine::{MachineError, OnFile};
use std::fmt;
use std::fs;
use std::path::Path;

/// A block device of the deployment.
pub trait Disk: Send + Sync + fmt::Debug {
    /// Its device file.
    fn device(&self) -> &Path;

    /// Switches its slowness off for preparations and on again for measurements. A disk that has none ignores it.
    ///
    /// # Errors
    /// When the disk cannot be told.
    fn set_delays(&self, on: bool) -> Result<(), LabError>;

    /// What makes it so many times as fast as it was made; nothing for a disk whose speed is the machine's.
    ///
    /// # Errors
    /// When the machine cannot slow it down.
    fn at_speed(&self, _speed: f64) -> Result<Vec<Deed>, LabError> {
        Ok(Vec::new())
    }

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
    fn statistics(&self) -> Result<Option<Statistics>, LabError> {
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
    /// Time with something to do, microseconds; a millisecond's resolution.
    pub busy_us: u64,
    /// Time of all requests, from being queued to being done, microseconds; likewise.
    pub queue_us: u64,
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
        _,
        _,
        _,
        _,
        _,
        _,
        busy_ms,
        queue_ms,
        ..,
    ] = fields[..]
    else {
        let problem = format!("cannot read {text:?}");
        return Err(MachineError::Unreadable { path, problem }.into());
    };
    Ok(DiskCounters {
        reads,
        read_bytes: read_sectors * 512,
        busy_us: busy_ms * 1000,
        queue_us: queue_ms * 1000,
    })
}
