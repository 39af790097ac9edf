//! What is asked of a calculated scenario.

use std::path::PathBuf;

use hotset_models::calculate::HitRatioMethod;
use hotset_scenario::ScenarioSetting;

use crate::Logs;

/// Which scenario, with which traffic, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The scenario file.
    pub scenario: PathBuf,
    /// Keys that are set aside from the file.
    pub set: Vec<ScenarioSetting>,
    /// The logs; those that the scenario names where none are given.
    pub logs: Logs,
    /// Where hit ratios come from.
    pub hit_ratio_method: HitRatioMethod,
}
