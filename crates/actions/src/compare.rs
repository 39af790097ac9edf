//! Outcomes laid beside each other.

use std::path::PathBuf;

use hotset_outcome::{Bootstrap, SideBySide, compare};
use hotset_report::ComparisonView;

use crate::{ChosenOutcomes, JobError, Results};

/// What is compared.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Documents with outcomes, `FILE` or `FILE:NAME`; the first outcome is the baseline.
    pub documents: Vec<String>,
    /// Seed of the confidence intervals.
    pub seed: u64,
    /// Where the comparison goes.
    pub results: Results,
}

/// Outcomes side by side.
#[derive(Clone, Debug)]
pub struct CompareResult {
    /// The outcomes.
    pub chosen: ChosenOutcomes,
    /// What they are to each other.
    pub side_by_side: SideBySide,
}

impl CompareResult {
    /// What reports show.
    pub fn view(&self) -> ComparisonView<'_> {
        ComparisonView {
            side_by_side: &self.side_by_side,
            outcomes: &self.chosen.outcomes,
        }
    }
}

/// Lays outcomes beside each other.
///
/// # Errors
/// Documents that cannot be read or compared, or results that cannot be written.
pub fn run(options: &Options) -> Result<CompareResult, JobError> {
    options.results.check()?;
    let chosen = ChosenOutcomes::of(&options.documents)?;
    options
        .results
        .spare_files(chosen.files.iter().map(PathBuf::as_path))?;
    let side_by_side = compare(&chosen.outcomes, &Bootstrap::seeded(options.seed))?;
    Ok(CompareResult {
        chosen,
        side_by_side,
    })
}
