//! A table 5: response times through the data-centre, no file cached.

use super::file_systems::{EXPERIMENT, ON_OTHER_MACHINES, STAND_INS};
use super::served_table;
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::ordering::Orderings;
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::{KnownExperiment, Sources};

/// Response times, uncached.
pub(super) struct Table5;

fn published() -> PublishedTable {
    PublishedTable::of(include_str!("../published/tr65-table5.csv"))
}

impl DocumentStudy for Table5 {
    fn name(&self) -> &'static str {
        "tr65-table5"
    }

    fn title(&self) -> &'static str {
        "Response through proxy and web server, no file cached, by file system, µs"
    }

    fn section(&self) -> &'static str {
        "A table 5"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Not simulated yet: the documents' processors and their network have no profile",
            ON_OTHER_MACHINES,
            STAND_INS,
            "Memory file systems have nothing to drop: their uncached file is one that was just written",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        served_table::cells(&published(), sources, "uncached")
    }

    fn orderings(&self, cells: &[ReproducedCell]) -> Orderings {
        Orderings::of_columns(cells)
    }

    fn claims(&self, _cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims =
            served_table::contradictions(&published(), "read_uncached", "A tables 2 and 5");
        claims.push(DocumentClaim::contradiction(
            [
                "Lustre takes 1666 µs for 64 KB",
                "it takes 14705 µs for 4 KB and 20366 µs for 256 KB",
            ],
            "A table 5",
            "A misprint: by its neighbours 16666 is meant.",
        ));
        claims
    }
}
