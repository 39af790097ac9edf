//! What the first of two sites in the data-centre of A gains by files in a memory file system.

use std::collections::BTreeMap;

use super::two_sites::{Placed, TwoSites};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::centre::{Centre, CentreFigures};
use crate::reproduce::sources::Sources;

/// Columns of gains that are simulated on the machines of A.
pub(super) const IN_RAMFS: &str = "ramfs, A's nodes";
pub(super) const UNPOLLUTED: &str = "unpolluted alone, A's nodes";

/// What is to be known of them.
pub(super) const SIMULATED: &str = "`ramfs, A's nodes` is simulated on the document's machines (experiments/documents), with popular files that are small, and 225 MB of them in ramfs. In `unpolluted alone` the same files stay in memory at the costs of the backing file system";

/// Simulated gains.
pub(super) struct Gains {
    figures: BTreeMap<String, CentreFigures>,
}

impl Gains {
    /// Those of these sites, with files placed in these ways.
    pub fn of(sources: &Sources, sites: &[TwoSites], ways: &[Placed]) -> Self {
        let ways: Vec<Placed> = ways.iter().copied().chain([Placed::Backing]).collect();
        let centres = sites
            .iter()
            .flat_map(|sites| ways.iter().map(move |&way| sites.centre(way)));
        let centres: Vec<Centre> = centres.collect();
        Self {
            figures: sources.centres(&centres),
        }
    }

    /// What a way gets done for the first site over what the backing file system does alone.
    pub fn ratio(&self, sites: TwoSites, way: Placed) -> Option<f64> {
        let per_s = |way| {
            let figures = self.figures.get(&sites.centre(way).name)?;
            figures.first_per_s()
        };
        Some(per_s(way)? / per_s(Placed::Backing)?).filter(|it: &f64| it.is_finite())
    }

    /// The same as a cell: percent.
    pub fn cell(
        &self,
        row: &str,
        column: &str,
        (sites, way): (TwoSites, Placed),
    ) -> Option<ReproducedCell> {
        let ratio = self.ratio(sites, way)?;
        let cell = ReproducedCell::new(row, column, None);
        Some(cell.simulated(Some(100.0 * (ratio - 1.0))))
    }
}

/// The largest simulated figure of a column.
pub(super) fn largest(cells: &[ReproducedCell], column: &str) -> Option<f64> {
    let own = cells.iter().filter(|cell| cell.column == column);
    own.filter_map(|cell| cell.simulated).max_by(f64::total_cmp)
}

/// The simulated figure of a cell.
pub(super) fn simulated(cells: &[ReproducedCell], row: &str, column: &str) -> Option<f64> {
    let mut cells = cells.iter();
    cells
        .find(|cell| cell.row == row && cell.column == column)?
        .simulated
}
