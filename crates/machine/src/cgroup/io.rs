//! A group's traffic with block devices.

use crate::{MachineError, OnFile};
use std::fmt;
use std::path::Path;

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
    pub fn of(path: &Path) -> Result<Self, MachineError> {
        let device = rustix::fs::stat(path).on("look up", path)?.st_rdev;
        Ok(Self {
            major: rustix::fs::major(device),
            minor: rustix::fs::minor(device),
        })
    }
}

impl fmt::Display for DeviceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

/// A ceiling on a group's traffic with one device; none where `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IoLimits {
    /// Bytes read in a second.
    pub read_bytes_per_s: Option<u64>,
    /// Requests to read in a second.
    pub reads_per_s: Option<u64>,
}
