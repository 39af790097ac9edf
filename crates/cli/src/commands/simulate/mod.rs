//! `hotset simulate trace`: a trace through a cache.

mod args;
pub mod fio;

use anyhow::Result;
use hotset_actions::simulate::{Simulated, accesses_of, accesses_of_folder};
use hotset_trace::folder;
use hotset_trace::read::ReadSummary;

use crate::{input, output};
use args::Args;
pub use args::Model;

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let simulation = args.simulation();
    args.refuse_unused_backing()?;
    simulation.check().map_err(input::refusal)?;
    let (accesses, reading) = read_accesses(args)?;
    let zone = args.zone.time_zone.clone();
    let simulated = simulation.run(&accesses, reading, zone, args.json);
    match simulated.map_err(input::refusal)? {
        Simulated::Whole(view) => output::print_view(&view, args.json),
        Simulated::Sampled(view) => output::print_view(&view, args.json),
        Simulated::Estimated(view) => output::print_view(&view, args.json),
    }
}

/// Only the columns that a scan needs, where the trace folder lets us, and how they were read.
fn read_accesses(args: &Args) -> Result<(folder::Accesses, ReadSummary)> {
    match args.input.trace_folder()? {
        Some(folder) => accesses_of_folder(folder).map_err(input::cause),
        None => accesses_of(args.input.read()?, &args.input.logs).map_err(input::refusal),
    }
}
