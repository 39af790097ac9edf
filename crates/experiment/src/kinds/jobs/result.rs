//! What measuring and predicting jobs on one store comes to.

use hotset_models::file_system::FilePlaces;
use hotset_scenario::Profile;
use serde::{Deserialize, Serialize};

use crate::Deviation;
use crate::fio::{DeviceWrites, RequestFigures, Round};

/// What is kept of a store beside its outcome.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Detail {
    /// fio's version, where it ran the jobs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fio: Option<String>,
    /// What is known of the store and measured of the machine, for the model.
    pub profile: Profile,
    /// Where the jobs' files were, by the names that jobs have for them; missing in early results.
    #[serde(default)]
    pub places: FilePlaces,
    /// What was measured, group by group.
    pub runs: Vec<FileRounds>,
}

/// All rounds of a group of jobs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct FileRounds {
    /// Its jobs.
    pub jobs: Vec<JobRounds>,
    /// Bytes that the disk read while they ran, round by round.
    pub device_bytes: Vec<u64>,
    /// What it was given to write, of rounds in which that was told; missing where they only read, and in early results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<DeviceWrites>,
}

/// All rounds of a job.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct JobRounds {
    /// The job.
    pub job: String,
    /// What was measured of its reads, round by round.
    pub rounds: Vec<RequestFigures>,
    /// What was measured of its writes; missing where it only reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub writes: Vec<RequestFigures>,
    /// What was measured of its syncs; missing where it has none but at its end, and in early results.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub syncs: Vec<RequestFigures>,
}

impl FileRounds {
    /// No rounds yet of jobs of these names.
    pub fn of(names: Vec<String>) -> Self {
        let jobs = names.into_iter().map(|job| JobRounds {
            job,
            rounds: Vec::new(),
            writes: Vec::new(),
            syncs: Vec::new(),
        });
        Self {
            jobs: jobs.collect(),
            device_bytes: Vec::new(),
            written: Vec::new(),
        }
    }

    /// The first of its jobs.
    pub fn name(&self) -> &str {
        self.jobs.first().map_or("", |it| it.job.as_str())
    }

    /// One more round.
    pub fn add(&mut self, round: Round) {
        self.device_bytes.push(round.device_bytes);
        self.written.extend(round.written);
        for (job, figures) in self.jobs.iter_mut().zip(round.figures) {
            job.rounds.extend(figures.reads);
            job.writes.extend(figures.writes);
            job.syncs.extend(figures.syncs);
        }
    }
}

/// What the model says of a store's jobs.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct JobPredictions {
    /// Figures of jobs, and how far they are off.
    pub cells: Vec<JobDeviation>,
}

/// A figure of a job, measured and simulated; of bytes from the device, of the first job of its group.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct JobDeviation {
    #[serde(flatten)]
    pub of: Deviation,
    /// How far the model is above the median, below it with a minus: percent of it, and nothing where it is 0; bytes from the device and hits in percent
    /// of what the jobs read, bytes to the device of their own kind or of a hundredth of all.
    pub error_percent: Option<f64>,
    /// How far it is beyond the rounds, percent; bytes from the device and hits in percent of what the jobs read.
    pub beyond_percent: f64,
    /// Whether its job was set aside until the model was done; missing where not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_set_aside: bool,
}

impl From<Deviation> for JobDeviation {
    fn from(of: Deviation) -> Self {
        Self {
            error_percent: Some(of.error_percent()).filter(|error| error.is_finite()),
            beyond_percent: of.beyond_percent(),
            is_set_aside: false,
            of,
        }
    }
}
