//! What measuring a point comes to.

use serde::{Deserialize, Serialize};

use crate::kept::PointResult;
use crate::study::Comparison;

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// Mix of the foreground's visitors.
    pub mix: String,
    /// What shares the node with it.
    pub background: String,
    /// The foreground's benchmark.
    pub application: String,
    /// Class whose working set the foreground's tables fill.
    pub class: u64,
    /// Its items, or stories; null where they follow from the class.
    pub items: Option<u64>,
    /// Engine of all tables.
    pub engine: String,
    /// Buffer pool of the foreground's server, bytes; under the arm plan the one that it was learnt with.
    pub pool_bytes: u64,
    /// Buffer pool of the background's server, bytes; under the arm plan likewise.
    pub background_pool_bytes: u64,
    /// The foreground's tables that are locked in the page cache.
    pub pinned: Vec<String>,
    /// The foreground's tables that are copied to memory and served from there.
    pub in_memory: Vec<String>,
    /// How InnoDB reads and writes files (`innodb_flush_method`).
    pub flush_method: String,
    /// When a commit is on disk (`innodb_flush_log_at_trx_commit`).
    pub durability: u64,
    /// Emulated browsers of each application.
    pub clients: u64,
    /// Mean of their think times, milliseconds.
    pub think_ms: u64,
    /// How long caches are warmed up, seconds.
    pub warm_up_seconds: u64,
    /// Whether that is the most, and a warm-up ends once reads of the disk no longer fall; left out where it is not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub steady_warm_up: bool,
    /// How long is measured, seconds.
    pub seconds: u64,
    /// How servers are restarted after that; left out where they are not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart: Option<RestartSettings>,
    /// File system and disk of the servers' data, in words.
    pub data: String,
    /// Memory of the node, for servers, pools, pins and page cache together, bytes.
    pub memory_bytes: u64,
    /// Its processors; null where it has all.
    pub cpus: Option<u64>,
    /// Seed of the tables, and of visitors together with the number of the run.
    pub seed: u64,
}

/// How servers are restarted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct RestartSettings {
    /// `cold`, `dump-25`, `dump-100` or `pin`.
    pub way: String,
    /// How long visitors come after the restart, seconds.
    pub seconds: u64,
}

/// What is kept of a point beside its outcomes. After a restart, all figures but those in `restart` are of the time after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Detail {
    /// Processor time of the tiers, the foreground's first.
    pub tiers: Vec<TierTime>,
    /// Reads of the disk after merging, by all applications.
    pub disk_reads: u64,
    /// Bytes that it read.
    pub disk_read_bytes: u64,
    /// Bytes that were locked in the page cache, or copied to memory.
    pub pinned_bytes: u64,
    /// What the arm plan gave the servers; left out under others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub planned: Vec<ServerMemory>,
    /// The foreground's tables, of runs that tell what pages take; left out of others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<TableReads>,
    /// How long caches were really warmed up, where that was until they were steady; left out of others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm_up: Option<WarmUp>,
    /// When servers were warm after a restart; left out where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart: Option<Restarted>,
}

/// A warm-up that ends when it is steady.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct WarmUp {
    /// How long it took, seconds.
    pub seconds: u64,
    /// Whether reads of the disk no longer fell then.
    pub is_steady: bool,
}

/// Servers after a restart. Times begin when the database is started. The timeline of the first outcome has the pages of each second.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Restarted {
    /// Pages a second before the restart, with all warm.
    pub warm_pages_per_s: f64,
    /// When all servers took connections and tables were locked, seconds.
    pub started_seconds: f64,
    /// When pages a second first were `warm_share` of those before; null where they never were.
    pub seconds_to_warm: Option<f64>,
    /// What of the pages a second before counts as warm, 0 to 1.
    pub warm_share: f64,
    /// Over how many seconds pages are counted for that.
    pub window_seconds: u64,
    /// Pages of the buffer pool that the database wrote down at its end; null where it wrote none down.
    pub dumped_pages: Option<u64>,
}

/// What a table has in memory, and what it reads.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct TableReads {
    /// Its name.
    pub table: String,
    /// Its rows and indexes, bytes.
    pub bytes: u64,
    /// Of these in the buffer pool, bytes; null where it is not known.
    pub resident_bytes: Option<u64>,
    /// Pages that it reads in an hour; null where they were not counted.
    pub page_reads_per_hour: Option<f64>,
}

/// What a plan gives an application's server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct ServerMemory {
    /// `foreground` or `background`.
    pub application: String,
    /// Its buffer pool, bytes.
    pub pool_bytes: u64,
    /// Its tables that are locked in the page cache.
    pub pinned: Vec<String>,
    /// Pages that it read from its store in an hour while it was learnt.
    pub store_reads_per_hour_before: f64,
    /// Pages that it is to read from there in an hour as it is planned.
    pub store_reads_per_hour: f64,
}

/// Processor time of a tier.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct TierTime {
    /// `foreground` or `background`.
    pub application: String,
    /// `web`, `scripts` or `database`.
    pub tier: String,
    /// Processor time for a page, milliseconds; null without pages.
    pub ms_per_page: Option<f64>,
}

/// What is simulated of a point.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct DatabasesPrediction {
    /// Pages answered in a second.
    pub pages_per_s: Option<f64>,
    /// Mean time of a page, microseconds.
    pub mean_us: Option<f64>,
    /// 95th percentile of the times of pages, microseconds.
    pub p95_us: Option<f64>,
    /// Pages of tables that were in the buffer pool / those that were looked for, 0 to 1.
    pub pool_hit_ratio: Option<f64>,
    /// Pages that the background answers in a second; null without one.
    pub background_pages_per_s: Option<f64>,
}

/// The kept result of a point.
pub(crate) type DatabasesResult = PointResult<Settings, Detail>;

/// A point as its tables show it.
pub(crate) type DatabasesComparison = Comparison<Settings, Detail, DatabasesPrediction>;
