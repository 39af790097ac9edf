//! `hotset simulate fio`: jobs of fio on a model of the store, or of a file server.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::simulate::fio;
use hotset_scenario::ProfileSetting;

use crate::option_values::{ProfileName, seed};
use crate::output;
use crate::progress::Terminal;

/// What `hotset simulate fio` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Job file of fio
    #[arg(value_name = "JOB.fio")]
    jobs: PathBuf,
    /// Costs of the store: a file of `hotset probe -o`, or built in
    #[arg(
        long,
        value_name = "PROFILE",
        value_parser = ProfileName,
        hide_possible_values = true,
        required_unless_present = "scenario",
        conflicts_with_all = ["scenario", "store"]
    )]
    profile: Option<String>,
    /// Scenario file (TOML) in its place: client, file server, links
    #[arg(long, value_name = "SCENARIO", requires = "store")]
    scenario: Option<PathBuf>,
    /// Store of the scenario: one that file servers have
    #[arg(long, value_name = "NAME", requires = "scenario")]
    store: Option<String>,
    /// Machines like the scenario's first client that run the jobs
    ///
    /// Each has files of its own. A job's figures are of all of them together.
    #[arg(long, value_name = "N", requires = "scenario")]
    clients: Option<NonZeroUsize>,
    /// What the jobs run on instead: memory=SIZE, or KEY=VALUE
    ///
    /// memory is for pages of files; all fit where it is not given. A key is one of the profile, such as
    /// reading.read_ahead_bytes=1MiB. Again for each.
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<ProfileSetting>,
    /// Seed of the places that are read at random
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Refuse keys of the scenario that the simulation does not follow
    ///
    /// Otherwise they are listed as not modelled.
    #[arg(long, requires = "scenario")]
    strict_keys: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> fio::Options {
        fio::Options {
            jobs: self.jobs.clone(),
            profile: self.profile.clone(),
            scenario: self.scenario.clone(),
            store: self.store.clone(),
            clients: self.clients,
            set: self.settings.clone(),
            seed: self.seed,
            strict_keys: self.strict_keys,
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let simulated = fio::run(&args.options(), &Terminal::default())?;
    output::print_view(&simulated.view(), args.json)
}
