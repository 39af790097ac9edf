//! A trace through a cache.

mod cache;
mod importance;
mod sampled;
mod scan;
mod unit;

use std::path::PathBuf;

use hotset_cache::{PolicyKind, Stop};
use hotset_report::{CacheScanView, EstimatedScanView, SampledScanView};
use hotset_scenario::{MemorySize, Profile};
use hotset_trace::folder::Accesses;
use hotset_trace::read::ReadSummary;
use hotset_trace::{Zone, folder};

use crate::{AccessColumns, Input, InputError, JobError, name_of, summary_of_folder};

pub use cache::Cache;
pub use unit::Unit;

/// The cache that is asked for; options of `hotset simulate trace` of the same names.
#[derive(Clone, Debug)]
pub struct Simulation {
    /// Eviction policy.
    pub policy: PolicyKind,
    /// Size of the cache.
    pub memory: MemorySize,
    /// What it is filled in; that of its policy where none is given.
    pub unit: Option<Unit>,
    /// Store that misses are read from: a built-in profile or a file.
    pub backing: String,
    /// Share of the files to estimate from, 0 to 1.
    pub sampled: Option<f64>,
    /// Seed of the samples.
    pub seed: u64,
    /// Whoever asks it gets an error, soon.
    pub stop: Option<Stop>,
}

/// What a cache hits.
#[derive(Debug)]
pub enum Simulated {
    /// Of the whole trace.
    Whole(CacheScanView),
    /// The hit ratio of LRU, estimated from samples of the files drawn by hash.
    Sampled(SampledScanView),
    /// Hit ratios and mean response of the page cache, estimated from samples of the files drawn by importance.
    Estimated(EstimatedScanView),
}

impl Simulation {
    /// Checks what can be checked before traffic is read; the profile of the store.
    ///
    /// # Errors
    /// Samples of another policy than LRU and the page cache, or a store that is not known.
    pub fn check(&self) -> Result<Profile, JobError> {
        let is_estimated = matches!(self.policy, PolicyKind::Lru | PolicyKind::TwoList);
        if self.sampled.is_some() && !is_estimated {
            return Err(JobError::Usage(format!(
                "--sampled estimates lru or two-list, not {}; choose one of them, or scan the whole trace without --sampled",
                self.policy
            )));
        }
        Ok(Profile::named_or_file(&self.backing)?)
    }

    /// Runs `accesses`, which were read as `reading` says, through the cache. Outcomes for comparisons are counted where
    /// `is_compared`; they take some of the time.
    ///
    /// # Errors
    /// As [`Self::check`], or a cache that cannot be run.
    pub fn run(
        &self,
        accesses: &Accesses,
        reading: ReadSummary,
        zone: Zone,
        is_compared: bool,
    ) -> Result<Simulated, JobError> {
        let profile = self.check()?;
        let cache = Cache::of(self, accesses);
        match self.sampled {
            Some(share) if self.policy == PolicyKind::TwoList => {
                importance::estimate(self, accesses, reading, cache, profile, share, zone)
                    .map(Simulated::Estimated)
            }
            Some(share) => {
                sampled::sample(self, accesses, reading, cache, share, zone).map(Simulated::Sampled)
            }
            None => scan::run(self, accesses, reading, cache, profile, zone, is_compared)
                .map(Simulated::Whole),
        }
    }
}

/// The accesses of `input`, which was read from `logs`, and how it was read.
///
/// # Errors
/// There are none.
pub fn accesses_of(
    mut input: Input,
    logs: &[PathBuf],
) -> Result<(Accesses, ReadSummary), JobError> {
    let columns = AccessColumns::take(&mut input, &name_of(logs))?;
    let accesses = Accesses {
        objects: columns.objects,
        sizes: input.trace.objects.size,
    };
    Ok((accesses, input.summary))
}

/// Only the columns that a scan needs of a trace folder, and how they were read.
///
/// # Errors
/// A damaged folder.
pub fn accesses_of_folder(folder: &std::path::Path) -> Result<(Accesses, ReadSummary), InputError> {
    Ok((folder::read_accesses(folder)?, summary_of_folder(folder)?))
}
