//! What is asked of a simulated scenario.

use std::path::PathBuf;
use std::time::Duration;

use hotset_scenario::ScenarioSetting;

use crate::Logs;
use crate::plan::SiteTarget;

/// Which scenario, and with which traffic.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The scenario file.
    pub scenario: PathBuf,
    /// Keys that are set aside from the file.
    pub set: Vec<ScenarioSetting>,
    /// What sites' responses should come to, in place of the scenario's targets.
    pub targets: Vec<SiteTarget>,
    /// Whether keys that nothing follows are refused.
    pub strict_keys: bool,
    /// The logs; those that the scenario names where none are given.
    pub logs: Logs,
    /// File of the mix of an application's visitors, who are simulated in place of requests of logs.
    pub sessions: Option<PathBuf>,
    /// File of what the application's pages take; it goes with the sessions.
    pub application: Option<PathBuf>,
    /// A plan whose files are in memory from the start; with sessions, one that gives the database its pool and pins its tables.
    pub plan: Option<PathBuf>,
    /// File for what the database asks of its files, as `hotset simulate files` takes it; it goes with the sessions.
    pub files_work: Option<PathBuf>,
    /// How long a choice of files stays, where files are held as `hotset run` would; nothing where they are not.
    pub run: Option<Duration>,
    /// How many times it is simulated; as many as its figures need where that is not given.
    pub replications: Option<u32>,
    /// Seed of every random choice. Each replication has the one that follows that of the replication before.
    pub seed: u64,
}
