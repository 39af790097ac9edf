//! What a directory's file system costs; in `database.rs`, what the tables of a database hold in memory.

pub mod database;

use std::path::{Path, PathBuf};

use hotset_machine::file_system::FileSystem;
use hotset_probe::{Findings, Probe};
use hotset_report::ProbeView;
use hotset_scenario::Profile;

use crate::error::{misuse, refuse, refused};
use crate::{JobError, Part, Results, Watch};

/// What is measured.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Folder on the file system to be measured.
    pub directory: PathBuf,
    /// The file for what calls of a network mount cost, as scenarios take it.
    pub server_profile: Option<PathBuf>,
    /// Where the report goes; `output` is the file for the store's profile.
    pub results: Results,
}

/// What was measured.
#[derive(Debug)]
pub struct ProbeResult {
    findings: Findings,
    profile: Option<Profile>,
}

impl ProbeResult {
    /// What reports show.
    pub fn view(&self) -> ProbeView<'_> {
        ProbeView {
            findings: &self.findings,
            profile: self.profile.as_ref(),
        }
    }

    /// What the file `path` is to hold: the profile under the file's name, with what is doubtful about it. Nothing where no
    /// profile could be made.
    ///
    /// # Errors
    /// A profile that cannot be written.
    pub fn profile_file(&self, path: &Path) -> Result<Option<String>, JobError> {
        let Some(profile) = &self.profile else {
            return Ok(None);
        };
        let stem = path.file_stem().map(|stem| stem.to_string_lossy());
        let profile = Profile {
            name: stem.map_or_else(|| profile.name.clone(), |stem| stem.into_owned()),
            ..profile.clone()
        };
        let costs = profile.to_toml();
        let costs = costs.map_err(|error| refused(format!("cannot write the profile: {error}")))?;
        Ok(Some(self.findings.comments(&profile) + &costs))
    }

    /// What a file is to hold that `server_profile` of a scenario names, with the link that goes with it. Nothing of a file system of this
    /// machine.
    ///
    /// # Errors
    /// A profile that cannot be written.
    pub fn server_profile_file(&self) -> Result<Option<String>, JobError> {
        let comments = self.findings.server_comments();
        let Some((profile, comments)) = self.findings.server_profile().zip(comments) else {
            return Ok(None);
        };
        let costs = profile.to_toml();
        let costs = costs.map_err(|error| refused(format!("cannot write the profile: {error}")))?;
        Ok(Some(comments + &costs))
    }
}

/// Measures.
///
/// # Errors
/// A folder that cannot be measured, one that is on no network mount where a scenario's costs are wanted, or a file that cannot be written.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<ProbeResult, JobError> {
    options.results.check()?;
    if let Some(file) = &options.server_profile {
        if options.results.output.as_ref() == Some(file) {
            misuse!(
                "{}: named for two results; give each a file of its own",
                file.display()
            );
        }
        let alone = Results {
            output: Some(file.clone()),
            ..Results::default()
        };
        alone.check()?;
        check_mount(&options.directory)?;
    }
    let findings = measure(&options.directory, "measuring", watch)?;
    Ok(ProbeResult {
        profile: findings.profile(),
        findings,
    })
}

/// Refuses a folder whose files no server has: there are no calls to be measured.
fn check_mount(directory: &Path) -> Result<(), JobError> {
    match FileSystem::of(directory) {
        Some(system) if !system.is_remote() => refuse!(
            "{}: is on {}, a file system of this machine, which makes no calls; name a folder on a network mount, or ask \
             for no server profile",
            directory.display(),
            system.kind
        ),
        _ => Ok(()),
    }
}

/// Measures `directory`, which is shown as `what`.
pub(crate) fn measure(
    directory: &Path,
    what: &'static str,
    watch: &dyn Watch,
) -> Result<Findings, JobError> {
    let _held = watch.hold_interrupts();
    watch.begin(Part::Share(what));
    let findings = Probe::suited(directory).measure(directory, &|done| {
        watch.share(done);
        !watch.stops()
    })?;
    watch.end();
    Ok(findings)
}
