//! A table 4: response times through the data-centre, all files cached.

use super::file_systems::{EXPERIMENT, ON_OTHER_MACHINES, STAND_INS};
use super::served_table;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::ordering::Orderings;
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::{KnownExperiment, Sources};

/// Response times, cached.
pub(super) struct Table4;

fn published() -> PublishedTable {
    PublishedTable::of(include_str!("../published/tr65-table4.csv"))
}

impl DocumentStudy for Table4 {
    fn name(&self) -> &'static str {
        "tr65-table4"
    }

    fn title(&self) -> &'static str {
        "Response through proxy and web server, all files cached, by file system, µs"
    }

    fn section(&self) -> &'static str {
        "A table 4"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Not simulated yet: the documents' processors and their network have no profile",
            ON_OTHER_MACHINES,
            STAND_INS,
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        served_table::cells(&published(), sources, "cached")
    }

    fn orderings(&self, cells: &[ReproducedCell]) -> Orderings {
        Orderings::of_columns(cells)
    }

    fn claims(&self, _cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        served_table::contradictions(&published(), "read_cached", "A tables 2 and 4")
    }
}
