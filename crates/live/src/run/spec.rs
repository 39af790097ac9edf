//! What a runner is told.

use super::pressure::Pressure;
use crate::SiteFolder;
use hotset_plan::SiteTerms;
use hotset_scenario::{Objective, Profile, Target};
use hotset_trace::read::ReadOptions;
use std::path::PathBuf;
use std::time::Duration;

/// A site whose files may be held.
#[derive(Clone, Debug)]
pub struct RunSite {
    /// Its name, as the rules for sites in [`RunSpec::reading`] give it.
    pub name: String,
    /// What it is owed.
    pub terms: SiteTerms,
    /// What its responses are to come to, each measure once.
    pub targets: Vec<Target>,
    /// What reading its files costs where they lie.
    pub store: Profile,
    /// The share of its requests that one client may make count; 1 where every request does.
    pub client_share: f64,
}

/// What to follow, and what to hold.
#[derive(Clone, Debug)]
pub struct RunSpec {
    /// What files are held for.
    pub objective: Objective,
    /// The sites. Requests for others are passed over.
    pub sites: Vec<RunSite>,
    /// Their folders.
    pub folders: Vec<SiteFolder>,
    /// Users whose files are held beside those of each folder's owner.
    pub owners: Vec<u32>,
    /// Logs that servers write, or patterns of their names.
    pub logs: Vec<PathBuf>,
    /// How they are read.
    pub reading: ReadOptions,
    /// What reading held files costs.
    pub memory: Profile,
    /// Memory for files, page cache and held files together. Bytes.
    pub memory_bytes: u64,
    /// What says that memory is short.
    pub pressure: Pressure,
    /// Files that are known at most. What is learnt of each takes some 130 bytes.
    pub most_files: usize,
    /// How long a choice stays.
    pub interval: Duration,
    /// Bytes that may be read in a minute to hold files that were not held; none where that is not limited.
    pub churn_bytes: Option<u64>,
}
