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

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let simulated = |row: &str, column: &str| {
            let mut cells = cells.iter();
            let cell = cells.find(|cell| cell.row == row && cell.column == column);
            let simulated = cell.and_then(|cell| cell.simulated);
            simulated.map_or_else(String::new, |it| {
                format!(" Simulated with one proxy and one web server: {it:.0} a second.")
            })
        };
        vec![
            DocumentClaim::contradiction(
                [
                    "TCP/IP passes about 200 MB/s at most (§4.2)",
                    "253 files of 1 MB are answered in a second from ramfs, which is 265 MB/s (table 6)",
                ],
                "A table 6, B table 1",
                format!(
                    "Several proxies would explain it. The document does not say how many there were.{}",
                    simulated("cached 1M", "ramfs")
                ),
            ),
            DocumentClaim::contradiction(
                [
                    "Reading 4 KB from the disk under ext3 takes 1500 µs (table 2), and with a seek far longer",
                    "1488 such files are answered in a second (table 6)",
                ],
                "A tables 2 and 6",
                format!(
                    "One disk reads 667 in a second at most. Several web servers would explain it, or files of which a part was in memory.{}",
                    simulated("uncached 4K", "ext3")
                ),
            ),
            DocumentClaim::contradiction(
                [
                    "ext3 reads 39 MB/s from its disk (B table 1)",
                    "201 files of 256 KB and 66 of 1 MB that are not in memory are answered in a second, 53 and 69 MB/s (table 6)",
                ],
                "A table 6, B table 1",
                format!(
                    "Several web servers would explain it, or files of which a part was in memory.{}",
                    simulated("uncached 1M", "ext3")
                ),
            ),
        ]
    }
}
