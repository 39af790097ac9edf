//! `hotset simulate trace`: a trace through a cache.

mod args;
mod cache;
pub mod fio;
mod sampled;
mod scan;
mod unit;

use anyhow::{Result, bail};
use hotset_api::{AccessColumns, name_of, summary_of_folder};
use hotset_cache::PolicyKind;
use hotset_scenario::Profile;
use hotset_trace::folder;
use hotset_trace::read::ReadSummary;

use crate::output::Usage;
use args::Args;
pub use args::Model;
use cache::Cache;

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    if args.sampled.is_some() && args.policy != PolicyKind::Lru {
        bail!(Usage(format!(
            "--sampled estimates lru, not {}; leave --policy out, or scan the whole trace without --sampled",
            args.policy
        )));
    }
    let profile = Profile::named_or_file(&args.backing)?;
    let (accesses, reading) = read_accesses(args)?;
    let cache = Cache::of(args, &accesses);
    match args.sampled {
        Some(share) => sampled::print(args, &accesses, reading, cache, share),
        None => scan::print(args, &accesses, reading, cache, profile),
    }
}

/// Only the columns that a scan needs, where the trace folder lets us, and how they were read.
fn read_accesses(args: &Args) -> Result<(folder::Accesses, ReadSummary)> {
    if let Some(folder) = args.input.trace_folder()? {
        let accesses = folder::read_accesses(folder)?;
        return Ok((accesses, summary_of_folder(folder)?));
    }
    let mut input = args.input.read()?;
    let columns = AccessColumns::take(&mut input, &name_of(&args.input.logs))?;
    let accesses = folder::Accesses {
        objects: columns.objects,
        sizes: input.trace.objects.size,
    };
    Ok((accesses, input.summary))
}
