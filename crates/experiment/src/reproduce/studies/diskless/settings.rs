//! Which twins are simulated, and at which rates.

use std::collections::BTreeMap;
use std::path::Path;

use hotset_scenario::TomlFile;
use hotset_trace::Trace;
use hotset_workload::{Generator as _, Twin};
use serde::Deserialize;

use crate::ExperimentError;

/// The settings, below the folder of experiments.
pub(crate) const SETTINGS: &str = "diskless-simulated/twins.toml";

/// Seed of twins and of what scatters.
pub(super) const SEED: u64 = 1;

const DAY_MINUTES: f64 = 1440.0;

/// What is simulated of a workload.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a table")]
pub(super) struct TwinSettings {
    /// Minutes of the day that its twin has.
    pub minutes: u32,
    /// How many times as often connections are begun as in the day, each by itself.
    pub scales: Vec<u32>,
    /// Minutes of the twin that several web servers have.
    pub shared_minutes: u32,
}

/// The workloads, by name.
pub(super) fn settings(path: &Path) -> Result<BTreeMap<String, TwinSettings>, ExperimentError> {
    Ok(TomlFile::read(path)?.parse()?)
}

/// The share of the day that so many minutes are.
pub(super) fn share(minutes: u32) -> f64 {
    f64::from(minutes) / DAY_MINUTES
}

/// A twin of so many minutes, with times in whole seconds, as the document's logs have them.
///
/// # Errors
/// A workload that has no twin, or none so short.
pub(super) fn twin(workload: &str, minutes: u32) -> Result<Trace, ExperimentError> {
    const SECOND_US: i64 = 1_000_000;
    let twin = Twin {
        workload: workload.parse().map_err(ExperimentError::Unusable)?,
        scale: share(minutes),
    };
    let mut trace = twin.generate(SEED)?;
    for time_us in &mut trace.requests.time_us {
        *time_us -= time_us.rem_euclid(SECOND_US);
    }
    Ok(trace)
}
