//! What is said of a division.

use serde::Serialize;

use super::prediction::PoolPrediction;

/// How the memory of a node is divided between files and database servers, and what that buys.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DatabaseDivision {
    /// All that is divided: held files, the page cache, buffer pools and pinned tables. Bytes.
    pub memory_bytes: u64,
    /// What of it files have now, bytes.
    pub files_bytes_now: u64,
    /// What of it files get, held ones and their page cache together. Bytes.
    pub files_bytes: u64,
    /// Whether all is left as it is: no other division was found that saves a hundredth of the time of reads.
    pub is_left: bool,
    /// What reads of files and tables take in an hour now, by weight of the sites and by the accesses that choose. Milliseconds.
    pub read_ms_per_hour_now: f64,
    /// What they take with this division.
    pub read_ms_per_hour: f64,
    /// Server by server.
    pub servers: Vec<DividedServer>,
    /// What it buys the sites' tables, site by site.
    pub sites: Vec<DatabaseSite>,
    /// What it comes to by the latest measurement, which the division has not seen; left out where there is only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held_out: Option<HeldOutInterval>,
    /// What earlier measurements, with smaller buffer pools, have predicted of the latest; left out without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub predictions: Vec<PoolPrediction>,
}

/// What a database server gets.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DividedServer {
    /// Its name.
    pub database: String,
    /// Its buffer pool now, bytes.
    pub pool_bytes_now: u64,
    /// The buffer pool that it gets, bytes.
    pub pool_bytes: u64,
    /// Tables whose files are pinned.
    pub pinned: Vec<PinnedTable>,
    /// Tables that would be pinned if that were of use.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused_pins: Vec<RefusedPin>,
    /// Pages that it reads from its store in an hour now.
    pub store_reads_per_hour_now: f64,
    /// Pages that it reads from there with this division.
    pub store_reads_per_hour: f64,
    /// What the measurement lacks, and how it is had; left out where it lacks nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lacks: Option<String>,
    /// Why its buffer pool is left as it is; left out where it gets another, or where the measurement lacks something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kept_because: Option<String>,
}

/// A table whose files are pinned.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct PinnedTable {
    /// Its database and its name, with a point between.
    pub table: String,
    /// What it takes, bytes.
    pub bytes: u64,
    /// Why it is pinned, where a buffer pool would do otherwise.
    pub reason: String,
}

/// A table that would be pinned if that were of use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct RefusedPin {
    /// Its database and its name, with a point between.
    pub table: String,
    /// Why it is not, and what would have it be of use.
    pub reason: String,
}

/// What a division buys the tables of a site.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DatabaseSite {
    /// Its name; null for tables of no site that is named.
    pub site: Option<String>,
    /// Pages that its tables read from their store in an hour now.
    pub store_reads_per_hour_now: f64,
    /// Pages that they read from there with this division.
    pub store_reads_per_hour: f64,
    /// How long these and all other reads of its tables take in an hour now, milliseconds.
    pub read_ms_per_hour_now: f64,
    /// How long with this division.
    pub read_ms_per_hour: f64,
}

/// A division by a measurement that it has not seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HeldOutInterval {
    /// What reads of files and tables would have taken in an hour with everything as it is, milliseconds.
    pub read_ms_per_hour_now: f64,
    /// What they would have taken with the division.
    pub read_ms_per_hour: f64,
    /// Whether the division was given up, as it saves nothing there.
    pub is_given_up: bool,
}
