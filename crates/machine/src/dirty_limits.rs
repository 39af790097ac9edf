//! When the kernel writes back what is dirty, as it tells it.

use std::fs;
use std::path::Path;

use serde::Serialize;

/// When the kernel writes back what is dirty (`/proc/sys/vm/dirty_*`). Of a share and bytes, one is in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DirtyLimits {
    /// Percent of the memory for files that may be dirty before the kernel begins to write; missing where bytes are in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background_percent: Option<u64>,
    /// Bytes of the same; missing where a share is in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub background_bytes: Option<u64>,
    /// Percent of the memory for files that may be dirty before programs wait; missing where bytes are in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_percent: Option<u64>,
    /// Bytes of the same; missing where a share is in force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_bytes: Option<u64>,
    /// After so many hundredths of a second a file's dirty pages are written anyway.
    pub expire_centiseconds: u64,
    /// Hundredths of a second between two looks for such files; 0 for none.
    pub flush_centiseconds: u64,
}

impl DirtyLimits {
    /// Those of this machine; nothing where the kernel does not tell.
    #[must_use]
    pub fn of_machine() -> Option<Self> {
        let read = |name: &str| number(&Path::new("/proc/sys/vm").join(name));
        // 0 where the share is in force.
        let bytes = |name: &str| read(name).filter(|&bytes| bytes > 0);
        let background_bytes = bytes("dirty_background_bytes");
        let limit_bytes = bytes("dirty_bytes");
        Some(Self {
            background_percent: read("dirty_background_ratio")
                .filter(|_| background_bytes.is_none()),
            background_bytes,
            limit_percent: read("dirty_ratio").filter(|_| limit_bytes.is_none()),
            limit_bytes,
            expire_centiseconds: read("dirty_expire_centisecs")?,
            flush_centiseconds: read("dirty_writeback_centisecs")?,
        })
    }
}

/// How much may be dirty on this machine, as the kernel counts it now. Of a memory group of version 2 less may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirtyThresholds {
    /// Bytes from which on the kernel writes.
    pub background_bytes: u64,
    /// Bytes at which programs wait.
    pub limit_bytes: u64,
}

impl DirtyThresholds {
    /// Those of this machine (/proc/vmstat); nothing where the kernel does not tell.
    #[must_use]
    pub fn of_machine() -> Option<Self> {
        let text = fs::read_to_string("/proc/vmstat").ok()?;
        let pages = |name: &str| {
            let mut pairs = text.lines().filter_map(|line| line.split_once(' '));
            pairs.find(|(own, _)| *own == name)?.1.parse::<u64>().ok()
        };
        let page_bytes = rustix::param::page_size() as u64;
        Some(Self {
            background_bytes: pages("nr_dirty_background_threshold")? * page_bytes,
            limit_bytes: pages("nr_dirty_threshold")? * page_bytes,
        })
    }
}

/// How much of what may be dirty may be a device's (`/sys/class/bdi`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DirtyShare {
    /// Percent of the limit; 100 for all of it.
    pub most_percent: u64,
    /// The same in bytes, as the kernel counts it now; missing before Linux 6.3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub most_bytes: Option<u64>,
    /// Whether it holds as well while little is dirty in all; missing before Linux 6.3.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_strict: Option<bool>,
}

impl DirtyShare {
    /// That of the device with this folder in /sys/class/bdi; nothing where there is none.
    pub(crate) fn of(folder: &Path) -> Option<Self> {
        Some(Self {
            most_percent: number(&folder.join("max_ratio"))?,
            most_bytes: number(&folder.join("max_bytes")),
            is_strict: number(&folder.join("strict_limit")).map(|strict| strict == 1),
        })
    }
}

fn number(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}
