//! Published tables that results are laid beside.

use std::collections::BTreeMap;
use std::path::PathBuf;

use hotset_outcome::{Outcome, documents};

use crate::ExperimentError;

/// The outcomes of published tables, by the measurement that they are laid beside.
#[derive(Clone, Debug, Default)]
pub(crate) struct Quotations(pub BTreeMap<String, Vec<Outcome>>);

impl Quotations {
    /// Reads the documents that an experiment names.
    ///
    /// # Errors
    /// One that cannot be read.
    pub fn read(files: &BTreeMap<String, PathBuf>) -> Result<Self, ExperimentError> {
        let read = |(phase, path): (&String, &PathBuf)| Ok((phase.clone(), documents::read(path)?));
        Ok(Self(
            files
                .iter()
                .map(read)
                .collect::<Result<_, ExperimentError>>()?,
        ))
    }

    /// Those of a measurement.
    pub fn beside(&self, phase: &str) -> &[Outcome] {
        self.0.get(phase).map_or(&[], Vec::as_slice)
    }
}
