//! What measuring and predicting jobs on one store comes to.

use hotset_models::file_system::FilePlaces;
use hotset_scenario::Profile;
use serde::{Deserialize, Serialize};

use super::ageing::Grown;
use crate::fio::ReadFigures;
use crate::kept::Kept;
use crate::{Deviation, Metric};

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// File system and disk, in words.
    pub store: String,
    /// Memory of the node, bytes.
    pub memory_bytes: u64,
    /// What fio and the kernel leave of it for files, bytes.
    pub file_memory_bytes: u64,
    /// Its processors; null where it has all.
    pub cpus: Option<u64>,
    /// Rounds that count.
    pub rounds: usize,
    /// Jobs that only prepare for others.
    pub preparing: Vec<String>,
    /// The job files, with values in their places.
    pub job_files: Vec<String>,
    /// SHA-256 of the logs that jobs replay, in their order; missing where none do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
    /// Files that are made before, in pieces; missing where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grown: Vec<Grown>,
}

/// What is kept of a store beside its outcome.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Detail {
    /// fio's version.
    pub fio: String,
    /// What is known of the store and measured of the machine, for the model.
    pub profile: Profile,
    /// Where the jobs' files were, by the names that jobs have for them; missing in early results.
    #[serde(default)]
    pub places: FilePlaces,
    /// What fio said, a job file each.
    pub runs: Vec<FileRounds>,
}

/// All rounds of a job file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct FileRounds {
    /// Its jobs.
    pub jobs: Vec<JobRounds>,
    /// Bytes that the disk read while they ran, round by round.
    pub device_bytes: Vec<u64>,
}

/// All rounds of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct JobRounds {
    /// The job.
    pub job: String,
    /// What fio said of it, round by round.
    pub rounds: Vec<ReadFigures>,
}

/// What the model says of a store's jobs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Predicted {
    /// Figures of jobs, and how far they are off.
    pub cells: Vec<PredictedCell>,
}

/// A figure of a job, measured and simulated.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct PredictedCell {
    /// The job; of `device_bytes` the first one of its file.
    pub job: String,
    /// `bytes_per_s`, `mean_us`, `device_bytes` or `hit_share`.
    pub metric: Metric,
    /// Median of the rounds.
    pub measured: f64,
    /// The least of the rounds.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// What the model says.
    pub simulated: f64,
    /// How far that is from the median, percent of it; nothing where the median is 0.
    pub error_percent: Option<f64>,
    /// How far it is beyond the rounds, percent; bytes from the device and hits in percent of what the jobs read.
    pub beyond_percent: f64,
}

impl From<Deviation> for PredictedCell {
    fn from(of: Deviation) -> Self {
        Self {
            metric: of.metric,
            measured: of.measured,
            low: of.low,
            high: of.high,
            simulated: of.simulated,
            error_percent: Some(of.error_percent()).filter(|error| error.is_finite()),
            beyond_percent: of.beyond_percent(),
            job: of.subject,
        }
    }
}

/// The kept result of a store.
pub(crate) type KeptJobs = Kept<Settings, Detail>;
