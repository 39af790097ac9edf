//! Simulated jobs of fio beside fio itself.

use std::path::{Path, PathBuf};

use hotset_experiment::validate::{Accuracy, Validation};
use hotset_machine::Directories;
use hotset_models::fio::JobFile;
use hotset_scenario::Profile;

use crate::error::refused;
use crate::lab::{WORK, directories};
use crate::{JobError, Part, Watch, probe};

/// What is validated, and where.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Job files of fio.
    pub jobs: Vec<PathBuf>,
    /// Folder on the file system to be measured.
    pub on: PathBuf,
    /// Costs of the store: a built-in profile or a file; where not given, the folder is probed first.
    pub profile: Option<String>,
    /// Seed of the places that the simulation reads at random.
    pub seed: u64,
}

/// Runs the jobs and simulates them.
///
/// # Errors
/// Jobs that cannot be read, run or simulated.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<Accuracy, JobError> {
    let load = |path: &PathBuf| Ok((path.clone(), JobFile::load_without_trims(path)?));
    let files: Result<Vec<_>, JobError> = options.jobs.iter().map(load).collect();
    let files = files?;
    let given = options.profile.as_deref().map(Profile::named_or_file);
    let given = given.transpose()?;
    let any = Profile::named_or_file("memory")?;
    let _held = watch.hold_interrupts();
    let traces = directories(Path::new(WORK));
    let places = (options.on.as_path(), &traces);
    // What would be refused is refused before a minute is spent on probing.
    let first = given.as_ref().unwrap_or(&any);
    validation(&files, places, first, options.seed).check()?;
    let profile = match given {
        Some(profile) => profile,
        None => {
            let findings = probe::measure(&options.on, "probing", watch)?;
            let profile = findings.profile();
            profile.ok_or_else(|| refused("probing makes a profile"))?
        }
    };
    watch.begin(Part::Share("running fio"));
    let validated = validation(&files, places, &profile, options.seed).run(&|done| {
        watch.share(done);
        !watch.stops()
    })?;
    watch.end();
    Ok(validated)
}

fn validation<'v>(
    files: &'v [(PathBuf, JobFile)],
    (directory, traces): (&'v Path, &'v Directories),
    profile: &'v Profile,
    seed: u64,
) -> Validation<'v> {
    Validation {
        files,
        directory,
        profile,
        traces: Some(traces),
        seed,
    }
}
