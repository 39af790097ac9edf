//! Jobs of fio on a model of the store.

use std::path::PathBuf;

use hotset_models::fio::{Job, JobFile, JobResult, System, simulate};
use hotset_report::FioView;
use hotset_scenario::{Profile, ProfileSetting, parse_bytes};

use crate::error::{refuse, refused};
use crate::{Field, JobError, Watch};

/// The name of what no profile has: memory is a matter of the machine.
const MEMORY: &str = "memory";
/// A name this many letters away from it, or fewer, is taken for a slip of the pen: every key of a profile is further away.
const SLIPS: usize = 2;

/// Which jobs, and on what.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Job file of fio.
    pub jobs: PathBuf,
    /// Costs of the store: a built-in profile or a file.
    pub profile: String,
    /// What the jobs run on instead: `memory`, or a key of the profile.
    pub set: Vec<ProfileSetting>,
    /// Seed of the places that are read at random.
    pub seed: u64,
}

/// Jobs and what they came to.
#[derive(Debug)]
pub struct FioResult {
    profile: Profile,
    memory_bytes: Option<u64>,
    seed: u64,
    jobs: Vec<Job>,
    results: Vec<JobResult>,
}

impl FioResult {
    /// What reports show.
    pub fn view(&self) -> FioView<'_> {
        FioView {
            profile: &self.profile,
            memory_bytes: self.memory_bytes,
            seed: self.seed,
            jobs: &self.jobs,
            results: &self.results,
        }
    }
}

impl Options {
    /// Memory for pages of files, and what is set of the profile.
    fn memory_and_others(&self) -> Result<(Option<u64>, Vec<ProfileSetting>), JobError> {
        let settings = self.set.iter().cloned();
        let (memory, others): (Vec<ProfileSetting>, Vec<ProfileSetting>) =
            settings.partition(|setting| setting.key() == MEMORY);
        let is_slip = |key: &str| strsim::damerau_levenshtein(key, MEMORY) <= SLIPS;
        if let Some(slip) = others.iter().find(|setting| is_slip(setting.key())) {
            refuse!(
                "{} {slip}: `{}` is not known; did you mean `{MEMORY}`?",
                Field::Set,
                slip.key()
            );
        }
        let bytes = memory.last().map(|setting| {
            parse_bytes(&setting.value())
                .map_err(|why| refused(format!("{} {setting}: {why}", Field::Set)))
        });
        Ok((bytes.transpose()?, others))
    }
}

/// Simulates the jobs.
///
/// # Errors
/// Jobs that cannot be read or are not modelled, or a profile that cannot be used.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<FioResult, JobError> {
    let (memory_bytes, settings) = options.memory_and_others()?;
    let profile = Profile::named_or_file(&options.profile)?.with(&settings)?;
    if let Some(setting) = settings
        .iter()
        .find(|it| it.gives_way_to_device_of(&profile))
    {
        refuse!(
            "{} {setting}: changes nothing, since {} has a device, which says how long reads from it take; set keys of `device`, or take \
             a profile without one, such as hdd",
            Field::Set,
            options.profile
        );
    }
    let file = JobFile::load(&options.jobs)?;
    let system = System {
        profile: &profile,
        memory_bytes,
        seed: options.seed,
    };
    let results = simulate(&file.jobs, &system, &|| !watch.stops())?;
    Ok(FioResult {
        memory_bytes,
        seed: options.seed,
        jobs: file.jobs,
        results,
        profile,
    })
}
