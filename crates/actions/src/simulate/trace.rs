//! A trace through a cache.

use std::path::Path;

use hotset_scenario::Profile;
use hotset_trace::folder::{self, Accesses};
use hotset_trace::read::ReadSummary;

use super::cache::Cache;
use super::{importance, sampled, scan};
use crate::input::{AccessColumns, summary_of_folder};
use crate::{Input, JobError, Watch, name_of};
use hotset_cache::PolicyKind;

pub use super::options::Options;
pub use hotset_report::ScanView as ScanResult;

/// Runs the logs of `options` through the cache.
///
/// # Errors
/// What cannot be read, or a cache that cannot be run.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<ScanResult, JobError> {
    let profile = options.check()?;
    let is_whole = options.logs.reading.period.is_all();
    let (accesses, reading) = match options.logs.folder()? {
        Some(folder) if is_whole => accesses_of_folder(folder)?,
        _ => accesses_of(options.logs.read(watch)?, &name_of(&options.logs.paths))?,
    };
    simulate(options, &accesses, reading, profile, watch)
}

/// Runs `input`, which was read already and is called `name` in messages, through the cache.
///
/// # Errors
/// As [`run`].
pub fn of_input(
    options: &Options,
    input: Input,
    name: &str,
    watch: &dyn Watch,
) -> Result<ScanResult, JobError> {
    let profile = options.check()?;
    let (accesses, reading) = accesses_of(input, name)?;
    simulate(options, &accesses, reading, profile, watch)
}

fn simulate(
    options: &Options,
    accesses: &Accesses,
    reading: ReadSummary,
    profile: Profile,
    watch: &dyn Watch,
) -> Result<ScanResult, JobError> {
    let cache = Cache::of(options, accesses);
    let stop = watch.stop();
    let stop = stop.as_ref();
    match options.sampled {
        Some(share) if cache.policy == PolicyKind::TwoList => {
            importance::estimate(options, accesses, reading, cache, profile, share, stop)
                .map(ScanResult::Estimated)
        }
        Some(share) => {
            sampled::sample(options, accesses, reading, cache, share, stop).map(ScanResult::Sampled)
        }
        None => scan::run(options, accesses, reading, cache, profile, stop).map(ScanResult::Whole),
    }
}

/// The accesses of `input`, and how it was read.
fn accesses_of(mut input: Input, name: &str) -> Result<(Accesses, ReadSummary), JobError> {
    let columns = AccessColumns::take(&mut input, name)?;
    let accesses = Accesses {
        objects: columns.objects,
        sizes: input.trace.objects.size,
    };
    Ok((accesses, input.summary))
}

/// Only the columns that a scan needs of a trace folder, and how they were read.
fn accesses_of_folder(folder: &Path) -> Result<(Accesses, ReadSummary), JobError> {
    Ok((folder::read_accesses(folder)?, summary_of_folder(folder)?))
}
