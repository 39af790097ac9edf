//! A table 6: throughput of the data-centre.

use super::centres_of_a::{Clients, SIMULATED};
use super::file_systems::{self, EXPERIMENT, ON_OTHER_MACHINES, STAND_INS};
use super::served_files::{ServedFiles, ServedRow};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::ordering::Orderings;
use crate::reproduce::published_table::PublishedTable;
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
        vec![SIMULATED, ON_OTHER_MACHINES, STAND_INS]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let table = PublishedTable::of(include_str!("../published/tr65-table6.csv"));
        let rows = table.rows().map(|of| ServedRow {
            name: format!("{} {}", of.text("state"), of.text("file_size")),
            size: of.text("file_size"),
            is_cached: of.text("state") == "cached",
            clients: Clients::All,
        });
        let rows: Vec<ServedRow> = rows.collect();
        let simulated = ServedFiles::of(&rows, sources, |figures| figures.throughput_per_s);
        let pairs = table.rows().zip(&rows);
        let cells = pairs.flat_map(|(of, row)| {
            let outcome = format!("{}-8-clients", of.text("state"));
            simulated.cells(
                row,
                |file_system| of.figure(file_system),
                |file_system| {
                    let of = (row.size, None);
                    let score = file_systems::score(sources, file_system, &outcome, of)?;
                    score.throughput_per_s
                },
            )
        });
        cells.collect()
    }

    fn orderings(&self, cells: &[ReproducedCell]) -> Orderings {
        Orderings::of_columns(cells)
    }

    fn claims(&self, _cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        Vec::new()
    }
}
