//! What varying parameters on one store comes to.

use std::collections::BTreeMap;

use hotset_scenario::Profile;
use serde::{Deserialize, Serialize};

use super::section::Parameter;
use crate::study::Comparison;

/// Everything that decides what is simulated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// The base.
    pub profile: Profile,
    /// Memory for files of the base, bytes.
    pub file_memory_bytes: u64,
    /// The job files, with their places.
    pub job_files: Vec<String>,
    /// What stands in their places in the base.
    pub values: BTreeMap<String, String>,
    /// Jobs that only prepare for others.
    pub preparing: Vec<String>,
    /// What is varied.
    pub parameters: Vec<Parameter>,
}

/// What is kept of a store beside its outcome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Detail {
    /// The base.
    pub at_base: Vec<JobFigure>,
    /// Parameter by parameter, value by value.
    pub varied: Vec<Variation>,
}

/// What a value of a parameter makes of the jobs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Variation {
    /// The parameter's name.
    pub parameter: String,
    /// Its value.
    pub value: String,
    /// Job by job.
    pub jobs: Vec<JobFigure>,
}

/// What a job does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct JobFigure {
    /// Its name.
    pub job: String,
    /// Bytes that it reads in a second.
    pub bytes_per_s: f64,
    /// Mean time of a read, microseconds.
    pub mean_us: f64,
}

/// A store as its tables show it.
pub(crate) type StoreComparison = Comparison<Settings, Detail, ()>;
