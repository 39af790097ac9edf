//! A table 2: what opening and reading a file takes on a node.

use super::file_systems::{self, EXPERIMENT, ON_OTHER_MACHINES, STAND_INS};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::machine_file::Line;
use crate::reproduce::ordering::Orderings;
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::{KnownExperiment, Sources};

/// Latency of file accesses.
pub(super) struct Table2;

/// Its columns in the document, and what they are called here: operation and size.
const COLUMNS: [(&str, &str, &str); 6] = [
    ("open_close_4k", "open and close", "4K"),
    ("open_close_1m", "open and close", "1M"),
    ("read_cached_4k", "read cached", "4K"),
    ("read_cached_1m", "read cached", "1M"),
    ("read_uncached_4k", "read uncached", "4K"),
    ("read_uncached_1m", "read uncached", "1M"),
];

/// The published table.
pub(super) fn published() -> PublishedTable {
    PublishedTable::of(include_str!("../published/tr65-table2.csv"))
}

/// What opening a file and reading it take by themselves, microseconds, by a line through its reads of 4 KB and 1 MB.
pub(super) fn bare_us(file_system: &str, is_cached: bool, bytes: u64) -> Option<f64> {
    let table = published();
    let of = |column: &str| table.figure(file_system, column);
    let read = match is_cached {
        true => Line::through(of("read_cached_4k")?, of("read_cached_1m")?),
        false => Line::through(of("read_uncached_4k")?, of("read_uncached_1m")?),
    };
    Some(of("open_close_4k")? + read.fixed_us + bytes as f64 / read.bytes_per_us)
}

impl DocumentStudy for Table2 {
    fn name(&self) -> &'static str {
        "tr65-table2"
    }

    fn title(&self) -> &'static str {
        "What opening and reading a file takes on a node, by file system, µs"
    }

    fn section(&self) -> &'static str {
        "A table 2"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Nothing is simulated: the profiles of the documents' file systems are made of these figures",
            ON_OTHER_MACHINES,
            STAND_INS,
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let table = published();
        let row = |(column, operation, size): (&str, &str, &str)| {
            file_systems::row(
                &format!("{operation} {size}"),
                |file_system| table.figure(file_system, column),
                |file_system| {
                    let of = (size, Some(operation));
                    let score = file_systems::score(sources, file_system, "bare", of)?;
                    score.latencies.total?.p50_us
                },
            )
        };
        COLUMNS.into_iter().flat_map(row).collect()
    }

    fn orderings(&self, cells: &[ReproducedCell]) -> Orderings {
        Orderings::of_columns(cells)
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        vec![
            opening(cells),
            DocumentClaim::contradiction(
                [
                    "Table 2 has the overhead of metadata operations such as read() and write() (§4.1)",
                    "its rows are opening and closing, and reading",
                ],
                "A §4.1, table 2",
                "A slip of the pen: opening and closing are meant, which the profiles here take.",
            ),
        ]
    }
}

/// Whether opening costs more on network file systems.
fn opening(cells: &[ReproducedCell]) -> DocumentClaim {
    let measured = |file_system: &str| {
        let mut cells = cells.iter();
        let cell = cells.find(|it| it.row == "open and close 4K" && it.column == file_system);
        cell?.measured
    };
    let ratio = measured("glusterfs")
        .zip(measured("ext3"))
        .map(|(network, local)| network / local);
    DocumentClaim::new(
        "opening and closing a file costs far more on a network file system than on a local one",
        "A §4.1, table 2",
        ratio.map(|ratio| ratio > 10.0),
        ratio.map_or_else(
            || "Not measured yet.".to_owned(),
            |ratio| format!("Measured here: GlusterFS takes {ratio:.0} times as long as ext3. The document has PVFS take 177 times as long."),
        ),
    )
}
