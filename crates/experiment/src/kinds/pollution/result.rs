//! What measuring one cell under one way of using the memory comes to.

use serde::{Deserialize, Serialize};

use super::arms::Means;
use super::cost_lines::MeasuredCosts;
use super::workload::WorkloadSpec;
use hotset_lab::disk::seeking::Statistics;
use hotset_machine::cgroup::MemoryUsage;

use crate::kept::PointResult;

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// The requests.
    pub workload: WorkloadSpec,
    /// Memory of the node, bytes.
    pub memory_bytes: u64,
    /// Its processors; null where it has all.
    pub cpus: Option<u64>,
    /// File system and disk, in words.
    pub store: String,
    /// Server and its workers, in words.
    pub server: String,
    /// Clients of each site in the throughput phase.
    pub clients: usize,
    /// Length of the throughput phase, seconds.
    pub throughput_seconds: u64,
    /// How far the ends of the ratio's interval may lie from the ratio where the paced phase ends early; left out
    /// where it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interval: Option<f64>,
    /// Weight of the foreground; left out without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weight: Option<f64>,
    /// Seconds for which a choice of `hotset run` stays, where servers log their requests and clients ask for two and
    /// a half of these before the throughput phase; left out otherwise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub daemon_interval: Option<u64>,
    /// Target of the foreground; left out without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
}

/// The costs of a cell's node, measured before its arms.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct CostsResult {
    /// What they were measured under.
    pub settings: Settings,
    /// The costs.
    pub costs: MeasuredCosts,
}

/// The node's memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Memory {
    /// All it may use, bytes.
    pub limit_bytes: u64,
    /// What processes take, bytes.
    pub anonymous_bytes: u64,
    /// What the kernel takes for the node: inodes, directory entries, page tables, bytes.
    pub kernel_bytes: u64,
    /// Page cache and ramfs, bytes.
    pub file_bytes: u64,
    /// What of it cannot be evicted, bytes.
    pub unevictable_bytes: u64,
}

impl Memory {
    /// What is left for file data: the limit less processes and kernel.
    pub fn usable_bytes(&self) -> u64 {
        self.limit_bytes
            .saturating_sub(self.anonymous_bytes)
            .saturating_sub(self.kernel_bytes)
    }
}

impl From<MemoryUsage> for Memory {
    fn from(usage: MemoryUsage) -> Self {
        Self {
            limit_bytes: usage.limit_bytes,
            anonymous_bytes: usage.anonymous_bytes,
            kernel_bytes: usage.kernel_bytes,
            file_bytes: usage.cache_bytes,
            unevictable_bytes: usage.unevictable_bytes,
        }
    }
}

/// What was held.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct HeldFiles {
    /// How.
    pub means: Means,
    /// Files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Whole pages they take, bytes.
    pub page_bytes: u64,
    /// Memory for file data of each site's group, bytes; empty where both sites share one memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub group_bytes: Vec<u64>,
    /// Files that `hotset apply` has left out; the others are those above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_out: Option<u64>,
    /// Files that `hotset status` has found held at the end; left out where hotset holds none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_end: Option<u64>,
    /// What the kernel guaranteed the foreground's group at the end, bytes; left out where `hotset apply` gave it no
    /// guarantee.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guaranteed_bytes: Option<u64>,
    /// Ids of the objects, the most valuable first.
    pub objects: Vec<u32>,
}

impl HeldFiles {
    /// Whether it tells what was in memory from beginning to end, and in which memory.
    pub fn tells_all(&self) -> bool {
        match self.means {
            Means::OwnGroup => !self.group_bytes.is_empty(),
            // What it held changed as it went on.
            Means::Run => false,
            _ => true,
        }
    }

    /// The objects that are in memory for certain: a group without held files is only as large as they are.
    pub fn in_memory(&self) -> &[u32] {
        match self.means {
            Means::Nothing | Means::OwnGroup | Means::Run => &[],
            Means::Ramfs
            | Means::Locked
            | Means::Groups
            | Means::Pin
            | Means::Bind
            | Means::HotRoot
            | Means::PinInGroups => &self.objects,
        }
    }
}

/// Counts over a phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Counts {
    /// How long it took, seconds.
    pub seconds: f64,
    /// Requests answered.
    pub requests: u64,
    /// Requests in whose time the disk read nothing; nothing where several requests ran at a time.
    pub cached: Option<u64>,
    /// The other requests.
    pub uncached: Option<u64>,
    /// Bytes answered.
    pub bytes: u64,
    /// Reads of the disk, after merging.
    pub disk_reads: u64,
    /// Bytes that they read.
    pub disk_read_bytes: u64,
    /// Processor time of the servers, microseconds.
    pub server_cpu_us: u64,
    /// What a drive with a head did; nothing on other disks, and in results from before it was kept.
    #[serde(default)]
    pub drive: Option<Statistics>,
    /// What older results have here and newer ones in `links` of their outcomes.
    #[serde(flatten)]
    pub link: LinkCounts,
}

/// What went over a node's link, in older results.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(default)]
pub(crate) struct LinkCounts {
    /// Bytes the node received, headers included; in older results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received_bytes: Option<u64>,
    /// Packets the node received; in older results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub received_packets: Option<u64>,
    /// Bytes the node sent, headers included; in older results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent_bytes: Option<u64>,
    /// Packets the node sent; in older results.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sent_packets: Option<u64>,
}

impl Counts {
    /// With those of a phase after it.
    pub fn and(self, later: Self) -> Self {
        let both = |one: Option<u64>, other: Option<u64>| match (one, other) {
            (Some(one), Some(other)) => Some(one + other),
            (one, other) => one.or(other),
        };
        Self {
            seconds: self.seconds + later.seconds,
            requests: self.requests + later.requests,
            cached: both(self.cached, later.cached),
            uncached: both(self.uncached, later.uncached),
            bytes: self.bytes + later.bytes,
            disk_reads: self.disk_reads + later.disk_reads,
            disk_read_bytes: self.disk_read_bytes + later.disk_read_bytes,
            server_cpu_us: self.server_cpu_us + later.server_cpu_us,
            drive: match (self.drive, later.drive) {
                (Some(one), Some(other)) => Some(one.and(&other)),
                (one, other) => one.or(other),
            },
            link: self.link,
        }
    }
}

/// One site's accesses in the paced phase.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct SiteAccesses {
    /// The site.
    pub site: String,
    /// Requests in whose time the disk read nothing.
    pub cached: u64,
    /// The other requests.
    pub uncached: u64,
    /// Bytes the disk read in their time.
    pub disk_read_bytes: u64,
}

/// A moment of a phase: counts since its start.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Moment {
    /// Seconds since the start.
    pub seconds: f64,
    /// Requests answered.
    pub requests: u64,
    /// Bytes the disk read.
    pub disk_read_bytes: u64,
    /// Processor time of the servers, microseconds.
    pub server_cpu_us: u64,
}

/// One client that waits for each response, over the held-out requests in order.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct PacedPhase {
    /// Counts.
    pub counts: Counts,
    /// Site by site.
    pub sites: Vec<SiteAccesses>,
    /// Whether nothing but the training part was asked before it. False in older results too: where clients had settled on the
    /// same requests, they were not unseen.
    #[serde(default)]
    pub follows_training: bool,
    /// The node's memory at its end.
    pub memory: Memory,
    /// Over time, at most some hundred moments.
    pub timeline: Vec<Moment>,
}

/// Several clients of each site at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Throughput {
    /// Clients of each site.
    pub clients: usize,
    /// Counts.
    pub counts: Counts,
    /// The foreground's requests in a second, those answered after the phase's time left out.
    pub foreground_per_s: f64,
    /// The background's, likewise.
    pub background_per_s: f64,
}

/// What is kept of a point beside its outcomes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Detail {
    /// What was held.
    pub held: HeldFiles,
    /// Memory for file data that the choice and the prediction reckon with, bytes.
    pub usable_bytes: u64,
    /// The paced phase; nothing where only the throughput phase was run again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paced: Option<PacedPhase>,
    /// The throughput phase.
    pub throughput: Option<Throughput>,
}

/// The kept result of a point.
pub(crate) type CellResult = PointResult<Settings, Detail>;
