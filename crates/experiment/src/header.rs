//! What experiments of every kind have.

use std::collections::BTreeMap;
use std::path::PathBuf;

use crate::ExperimentError;
use crate::claims::Claim;
use crate::kept::Results;

/// The head of an experiment file.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    /// Its name.
    pub name: String,
    /// Seed of every random choice.
    pub seed: u64,
    /// Memory of the nodes and sizes of the files are divided by it.
    pub scale: u64,
    /// Where the file is, and those that it names.
    pub folder: PathBuf,
    /// The scenario that it names.
    pub scenario: PathBuf,
    /// Folder of its results.
    pub results: Results,
    /// What is not measured, and why.
    pub not_measured: BTreeMap<String, String>,
    /// What documents claim of it.
    pub claims: Vec<Claim>,
}

impl Header {
    /// The experiment's scenario cannot be used, and why.
    pub fn unusable(&self, problem: &str) -> ExperimentError {
        let name = &self.name;
        ExperimentError::Unusable(format!("experiment {name}: its scenario {problem}"))
    }
}
