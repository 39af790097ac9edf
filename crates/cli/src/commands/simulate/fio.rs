//! `hotset simulate fio`: jobs of fio on a model of the store.

use std::path::PathBuf;

use anyhow::{Result, bail};
use hotset_models::fio::{JobFile, System, simulate};
use hotset_report::FioView;
use hotset_scenario::Profile;

use crate::interrupt;
use crate::option_values::{ProfileName, seed, size};
use crate::output;

/// What `hotset simulate fio` takes.
#[derive(clap::Args)]
pub struct FioArgs {
    /// Job file of fio
    #[arg(value_name = "JOB.fio")]
    jobs: PathBuf,
    /// Costs of the store: what `hotset probe -o` writes, or a built-in profile
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName, hide_possible_values = true)]
    profile: String,
    /// Memory for pages of files, such as 512MiB; all fit where it is not given
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true)]
    memory: Option<u64>,
    /// Seed of the places that are read at random
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &FioArgs) -> Result<()> {
    let profile = Profile::named_or_file(&args.profile)?;
    let file = JobFile::load(&args.jobs)?;
    if let Some(job) = file.writing.first() {
        bail!(
            "{}:{}: `[{}]` has rw={}: writing is not modelled yet; write read or randread, or leave the job out",
            args.jobs.display(),
            job.line,
            job.name,
            job.mode
        );
    }
    let system = System {
        profile: &profile,
        memory_bytes: args.memory,
        seed: args.seed,
    };
    let results = simulate(&file.jobs, &system, &|| !interrupt::pending())?;
    let view = FioView {
        profile: &profile.name,
        memory_bytes: args.memory,
        seed: args.seed,
        jobs: &file.jobs,
        results: &results,
    };
    output::print_view(&view, args.json)
}
