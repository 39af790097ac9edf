//! What is asked of a sweep.

use std::path::PathBuf;

use hotset_report::SweepBy;
use hotset_scenario::Variation;

use crate::plan::SiteTarget;
use crate::{Logs, Results};

/// Which scenario, at which points.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The scenario file.
    pub scenario: PathBuf,
    /// The logs; those that the scenario names where none are given.
    pub logs: Logs,
    /// Keys and their values; every combination is a point.
    pub vary: Vec<Variation>,
    /// How what each point gets is had.
    pub by: SweepBy,
    /// What responses of sites should come to; of points that are calculated, their means.
    pub targets: Vec<SiteTarget>,
    /// The varied key of which the best point has the least; the first one where none is named.
    pub minimise: Option<String>,
    /// Seed of every random choice, the same at all points.
    pub seed: u64,
    /// Where the table and the report go. Finished points are kept beside the table.
    pub results: Results,
}
