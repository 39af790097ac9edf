//! `hotset validate`: simulated jobs of fio beside fio itself.

use std::cell::RefCell;
use std::path::PathBuf;

use anyhow::{Context, Result};
use hotset_experiment::validate::Validation;
use hotset_models::fio::JobFile;
use hotset_probe::Probe;
use hotset_report::ValidationView;
use hotset_scenario::Profile;

use crate::option_values::{ProfileName, seed};
use crate::progress::Bar;
use crate::{interrupt, output};

/// What `hotset validate` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Job files of fio
    #[arg(value_name = "JOB.fio", required = true)]
    jobs: Vec<PathBuf>,
    /// Folder on the file system to be measured; files are written into it for a while
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

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let load = |path: &PathBuf| Ok((path.clone(), JobFile::load(path)?));
    let files: Vec<_> = args.jobs.iter().map(load).collect::<Result<_>>()?;
    let given = args
        .profile
        .as_deref()
        .map(Profile::named_or_file)
        .transpose()?;
    let any = Profile::named_or_file("memory")?;
    let _guard = interrupt::Guard::new();
    // What would be refused is refused before a minute is spent on probing.
    validation(args, &files, given.as_ref().unwrap_or(&any)).check()?;
    let profile = match given {
        Some(profile) => profile,
        None => probed(args)?,
    };
    let bar = RefCell::new(Bar::share("running fio"));
    let validated = validation(args, &files, &profile).run(&|done| {
        bar.borrow_mut().set_share(done);
        !interrupt::pending()
    })?;
    drop(bar);
    let view = ValidationView {
        validated: &validated,
    };
    output::print_view(&view, args.json)
}

fn validation<'v>(
    args: &'v Args,
    files: &'v [(PathBuf, JobFile)],
    profile: &'v Profile,
) -> Validation<'v> {
    Validation {
        files,
        directory: &args.on,
        profile,
        seed: args.seed,
    }
}

/// The profile that probing the folder makes.
fn probed(args: &Args) -> Result<Profile> {
    let bar = RefCell::new(Bar::share("probing"));
    let findings = Probe::default().measure(&args.on, &|done| {
        bar.borrow_mut().set_share(done);
        !interrupt::pending()
    })?;
    findings.profile().context("probing makes a profile")
}
