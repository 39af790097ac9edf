//! One setting of everything: the base, or the base with one parameter at another value.

use std::collections::BTreeMap;
use std::path::Path;

use hotset_models::fio::{JobFile, System, simulate};
use hotset_scenario::{Profile, ProfileSetting, parse_bytes};

use super::result::{JobFigure, Settings};
use super::section::Parameter;
use crate::ExperimentError;
use crate::kinds::fio_jobs::template::checked;

/// Memory for files, as [`Parameter::set`] calls it.
const MEMORY: &str = "memory";

/// A setting of everything.
pub(super) struct Case {
    profile: Profile,
    memory_bytes: u64,
    files: Vec<JobFile>,
}

impl Case {
    /// The base, with `varied` at its value.
    ///
    /// # Errors
    /// A value or a job that cannot be used.
    pub fn of(
        base: &Settings,
        varied: Option<(&Parameter, &str)>,
        folder: &Path,
    ) -> Result<Self, ExperimentError> {
        let mut case = Self {
            profile: base.profile.clone(),
            memory_bytes: base.file_memory_bytes,
            files: Vec::new(),
        };
        let mut places = base.values.clone();
        if let Some((parameter, value)) = varied {
            let set = &parameter.set;
            let refused = |why: String| {
                let name = &parameter.name;
                ExperimentError::Unusable(format!("parameter {name}: {set} = {value}: {why}"))
            };
            if set == MEMORY {
                case.memory_bytes = parse_bytes(value).map_err(|it| refused(it.to_string()))?;
            } else if let Some(place) = places.get_mut(set) {
                value.clone_into(place);
            } else {
                let setting: ProfileSetting = format!("{set}={value}").parse().map_err(refused)?;
                let profile = base.profile.with(&[setting]);
                case.profile = profile.map_err(|it| refused(it.to_string()))?;
            }
        }
        let files = base.job_files.iter();
        let files =
            files.map(|text| Ok(checked(&filled(text, &places), &folder.join("jobs"))?.file));
        case.files = files.collect::<Result<_, ExperimentError>>()?;
        Ok(case)
    }

    /// What the jobs do, without those that only prepare.
    ///
    /// # Errors
    /// Jobs that cannot be simulated, and an interrupt.
    pub fn simulate(
        &self,
        preparing: &[String],
        seed: u64,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Vec<JobFigure>, ExperimentError> {
        let system = System {
            profile: &self.profile,
            memory_bytes: Some(self.memory_bytes),
            seed,
        };
        let mut figures = Vec::new();
        for file in &self.files {
            let results = simulate(&file.jobs, &system, goes_on)?;
            figures.extend(results.iter().map(|result| JobFigure {
                job: result.outcome.name.clone(),
                bytes_per_s: result.bytes_per_s,
                mean_us: result.outcome.total.mean_us().unwrap_or(0.0),
            }));
        }
        figures.retain(|figure| !preparing.contains(&figure.job));
        Ok(figures)
    }
}

fn filled(text: &str, places: &BTreeMap<String, String>) -> String {
    let fill = |text: String, (name, value): (&String, &String)| {
        text.replace(&format!("${{{name}}}"), value)
    };
    places.iter().fold(text.to_owned(), fill)
}
