//! `hotset release`: take back what was placed.

use anyhow::Result;
use hotset_actions::release;

use crate::state::StateArgs;
use crate::{interrupt, output};

/// What `hotset release` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    state: StateArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let _guard = interrupt::Guard::new();
    let released = release::run(&args.state.path)?;
    output::print_view(&released.view(), args.json)?;
    Ok(released.check()?)
}
