//! `hotset simulate files`: operations on files of a file server.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::simulate::files;

use crate::output;
use crate::progress::Terminal;

/// What `hotset simulate files` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Work: an operation a line
    ///
    /// Such as on-server DIR COUNT BYTES, open PATH r, read PATH BYTES, write PATH BYTES, close PATH, stat PATH, readdir DIR or sleep
    /// SECONDS.
    #[arg(value_name = "WORK")]
    work: PathBuf,
    /// Scenario file (TOML): the client, the file server, what lies between
    #[arg(long, value_name = "SCENARIO")]
    scenario: PathBuf,
    /// Store that the files are on: one that file servers have
    #[arg(long, value_name = "NAME")]
    store: String,
    /// Refuse keys of the scenario that the simulation does not follow
    ///
    /// Otherwise they are listed as not modelled.
    #[arg(long)]
    strict_keys: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> files::Options {
        files::Options {
            work: self.work.clone(),
            scenario: self.scenario.clone(),
            store: self.store.clone(),
            strict_keys: self.strict_keys,
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let simulated = files::run(&args.options(), &Terminal::default())?;
    output::print_view(&simulated.view(), args.json)
}
