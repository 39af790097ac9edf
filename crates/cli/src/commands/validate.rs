//! `hotset validate`: simulated jobs of fio beside fio itself.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::validate;
use hotset_report::ValidationView;

use crate::option_values::{ProfileName, seed};
use crate::output;
use crate::progress::Terminal;

/// What `hotset validate` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Job files of fio
    #[arg(value_name = "JOB.fio", required = true)]
    jobs: Vec<PathBuf>,
    /// Folder on the file system to be measured
    ///
    /// Files are written into it for a while.
    #[arg(long, value_name = "FOLDER")]
    on: PathBuf,
    /// Costs of the store; where not given, the folder is probed first
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName, hide_possible_values = true)]
    profile: Option<String>,
    /// Seed of the places that the simulation reads at random
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> validate::Options {
        validate::Options {
            jobs: self.jobs.clone(),
            on: self.on.clone(),
            profile: self.profile.clone(),
            seed: self.seed,
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let validated = validate::run(&args.options(), &Terminal::default())?;
    let view = ValidationView {
        validated: &validated,
    };
    output::print_view(&view, args.json)
}
