//! `hotset simulate fio`: jobs of fio on a model of the store.

use std::path::PathBuf;

use anyhow::{Result, anyhow, bail};
use hotset_models::fio::{JobFile, System, simulate};
use hotset_report::FioView;
use hotset_scenario::{Profile, ProfileSetting};

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
    /// What the jobs run on instead: memory=SIZE for pages of files (all fit where it is not given), or a key of the profile, such as
    /// reading.read_ahead_bytes=1MiB; again for each
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<ProfileSetting>,
    /// Seed of the places that are read at random
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// The name of what no profile has: memory is a matter of the machine.
const MEMORY: &str = "memory";

impl FioArgs {
    /// Memory for pages of files, and what is set of the profile.
    fn memory_and_others(&self) -> Result<(Option<u64>, Vec<ProfileSetting>)> {
        let settings = self.settings.iter().cloned();
        let (memory, others): (Vec<ProfileSetting>, Vec<ProfileSetting>) =
            settings.partition(|setting| setting.key() == MEMORY);
        let bytes = memory.last().map(|setting| {
            size(&setting.value()).map_err(|message| anyhow!("--set {setting}: {message}"))
        });
        Ok((bytes.transpose()?, others))
    }
}

/// Runs the command.
pub fn run(args: &FioArgs) -> Result<()> {
    let (memory_bytes, settings) = args.memory_and_others()?;
    let profile = Profile::named_or_file(&args.profile)?.with(&settings)?;
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
        memory_bytes,
        seed: args.seed,
    };
    let results = simulate(&file.jobs, &system, &|| !interrupt::pending())?;
    let view = FioView {
        profile: &profile,
        memory_bytes,
        seed: args.seed,
        jobs: &file.jobs,
        results: &results,
    };
    output::print_view(&view, args.json)
}
