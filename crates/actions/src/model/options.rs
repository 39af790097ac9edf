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
    /// File of the mix of an application's visitors, in place of requests of logs.
    pub sessions: Option<PathBuf>,
    /// File of what the application's pages take; it goes with the sessions.
    pub application: Option<PathBuf>,
    /// Where hit ratios come from.
    pub hit_ratio_method: HitRatioMethod,
    /// Whether keys that nothing follows are refused.
    pub strict_keys: bool,
}
