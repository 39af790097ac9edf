//! `hotset status`: whether what was placed is in memory.

use std::process::ExitCode;

use anyhow::Result;
use hotset_report::StatusView;

use crate::commands::state::StateArgs;
use crate::output;

/// Exit code where not everything is held as it should be, or nothing is held.
const NOT_HELD: u8 = 3;

/// What `hotset status` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    state: StateArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let status = hotset_live::status(&args.state.folder()?)?;
    output::print_view(&StatusView(&status), args.json)?;
    Ok(match status.is_sound() {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(NOT_HELD),
    })
}
