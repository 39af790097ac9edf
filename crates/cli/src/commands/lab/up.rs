//! `hotset lab up`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use hotset_report::LabView;
use hotset_scenario::Scenario;

use crate::lab_tools::{self, WorkArgs};
use crate::progress::Steps;
use crate::{interrupt, output};

/// What `hotset lab up` takes.
#[derive(clap::Args)]
pub struct Args {
    /// The scenario file
    #[arg(value_name = "SCENARIO.toml")]
    scenario: PathBuf,
    #[command(flatten)]
    work: WorkArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let scenario = Scenario::load(&args.scenario)?;
    let (directories, drive_command) = (args.work.directories(), lab_tools::command("disk")?);
    let inventory = {
        let _guard = interrupt::Guard::new();
        let steps = Steps::new();
        hotset_lab::up(&scenario, &directories, &drive_command, &steps)
            .with_context(|| args.scenario.display().to_string())?
    };
    output::print_view(&LabView(inventory), args.json)
}
