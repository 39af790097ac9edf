//! The scenario that the options name, and its logs.

use hotset_scenario::{Scenario, ScenarioSetting, ScenarioSettingError, TomlFile};

use super::options::Options;
use crate::error::{refuse, refused};
use crate::scenario_sites::{add_sites, check_roots};
use crate::{Field, JobError, Logs};

/// Says that an error is about the scenario file.
pub(super) fn in_file<E: Into<JobError>>(options: &Options) -> impl Fn(E) -> JobError {
    move |error| JobError::at(options.scenario.display(), error)
}

/// The scenario with what is set.
pub(super) fn scenario(options: &Options) -> Result<Scenario, JobError> {
    with(
        &TomlFile::read(&options.scenario)?,
        &options.set,
        Field::Set,
    )
}

/// The scenario in `file` with what `field` sets.
///
/// # Errors
/// A file that cannot be used, and what cannot be set.
pub(crate) fn with(
    file: &TomlFile,
    set: &[ScenarioSetting],
    field: Field,
) -> Result<Scenario, JobError> {
    let scenario = Scenario::of_file(file, set);
    scenario.map_err(|error| match error {
        ScenarioSettingError::File(error) => error.into(),
        error => refused(format!("{field} {error}")),
    })
}

/// The logs that are given, else those that the scenario names, with its sites.
pub(super) fn logs(options: &Options, scenario: &Scenario) -> Result<Logs, JobError> {
    let mut logs = options.logs.clone();
    if logs.paths.is_empty() {
        if scenario.logs.is_empty() {
            refuse!(
                "{}: there are no access logs to simulate; name them behind the file, or with `log` at its top",
                options.scenario.display()
            );
        }
        logs.paths.clone_from(&scenario.logs);
    }
    // A trace folder has its files' sizes.
    if logs.folder()?.is_none() {
        check_roots(scenario, &options.scenario)?;
    }
    add_sites(scenario, &mut logs.reading)?;
    Ok(logs)
}
