//! A table 6: throughput of the data-centre.

use super::file_systems::{self, EXPERIMENT, ON_OTHER_MACHINES, STAND_INS};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::ordering::Orderings;
use crate::reproduce::published_table::{PublishedRow, PublishedTable};
use crate::reproduce::sources::{KnownExperiment, Sources};

/// Transactions a second.
pub(super) struct Table6;

impl DocumentStudy for Table6 {
    fn name(&self) -> &'static str {
        "tr65-table6"
    }

    fn title(&self) -> &'static str {
        "Throughput of the data-centre, cached and not, by file system, transactions a second"
    }

    fn section(&self) -> &'static str {
        "A table 6"
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
        let table = PublishedTable::of(include_str!("../published/tr65-table6.csv"));
        table.rows().flat_map(|of| row(of, sources)).collect()
    }

    fn orderings(&self, cells: &[ReproducedCell]) -> Orderings {
        Orderings::of_columns(cells)
    }

    fn claims(&self, _cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        Vec::new()
    }
}

fn row(of: PublishedRow<'_>, sources: &Sources) -> Vec<ReproducedCell> {
    let (state, size) = (of.text("state"), of.text("file_size"));
    let outcome = format!("{state}-8-clients");
    file_systems::row(
        &format!("{state} {size}"),
        |file_system| of.figure(file_system),
        |file_system| {
            let score = file_systems::score(sources, file_system, &outcome, (size, None))?;
            score.throughput_per_s
        },
    )
}
