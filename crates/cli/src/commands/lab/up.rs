//! `hotset lab up`.

use std::path::PathBuf;

use anyhow::{Context, Result};
use hotset_lab::{LEDGERS, standing};
use hotset_machine::Directories;
use hotset_report::DataCentreView;
use hotset_scenario::Scenario;

use crate::progress::Steps;
use crate::{interrupt, output};

/// What `hotset lab up` takes.
#[derive(clap::Args)]
pub struct Args {
    /// The scenario file
    #[arg(value_name = "SCENARIO.toml")]
    scenario: PathBuf,
    /// Folder for disk images
    #[arg(long, value_name = "FOLDER", default_value = "/var/tmp/hotset-lab")]
    work: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let scenario = Scenario::load(&args.scenario)?;
    let directories = Directories {
        ledgers: LEDGERS.into(),
        work: args.work.clone(),
    };
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    let drive_command = [program.into(), "lab".into(), "disk".into()];
    let standing = {
        let _guard = interrupt::Guard::new();
        let steps = Steps::new();
        standing::up(&scenario, &directories, &drive_command, &steps)
            .with_context(|| args.scenario.display().to_string())?
    };
    output::print_view(&DataCentreView(standing), args.json)
}
