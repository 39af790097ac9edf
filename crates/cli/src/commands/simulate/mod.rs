//! `hotset simulate trace`: a trace through a cache.

mod args;
mod cache;
mod sampled;
mod scan;
mod unit;

use anyhow::{Result, bail};
use hotset_cache::PolicyKind;
use hotset_scenario::Profile;
use hotset_trace::folder;

use crate::input::{AccessColumns, name_of};
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
    let accesses = read_accesses(args)?;
    let cache = Cache::of(args, &accesses);
    match args.sampled {
        Some(share) => sampled::print(args, &accesses, cache, share),
        None => scan::print(args, &accesses, cache, profile),
    }
}

/// Only the columns that a scan needs, where the trace folder lets us.
fn read_accesses(args: &Args) -> Result<folder::Accesses> {
    if let Some(folder) = args.input.trace_folder()? {
        return Ok(folder::read_accesses(folder)?);
    }
    let input = args.input.read()?;
    let columns = AccessColumns::of(&input, &name_of(&args.input.logs)?)?;
    Ok(folder::Accesses {
        objects: columns.objects,
        sizes: input.trace.objects.size,
    })
}
