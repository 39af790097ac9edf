//! A tables 4 and 5: response times by file size, cached and not.

use super::centres_of_a::Clients;
use super::served_files::{ServedFiles, ServedRow};
use super::{file_systems, tr65_table2};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::Sources;

/// The rows of a table of response times; `outcome` is what the experiment calls it: `cached` or `uncached`.
pub(super) fn cells(
    table: &PublishedTable,
    sources: &Sources,
    outcome: &str,
) -> Vec<ReproducedCell> {
    let rows = table.rows().map(|of| ServedRow {
        name: of.name().to_owned(),
        size: of.name(),
        is_cached: outcome == "cached",
        clients: Clients::One,
    });
    let rows: Vec<ServedRow> = rows.collect();
    let simulated = ServedFiles::of(&rows, sources, |figures| figures.mean_us);
    let row = |row: &ServedRow| {
        let size = row.size;
        simulated.cells(
            row,
            |file_system| table.figure(size, file_system),
            |file_system| {
                file_systems::score(sources, file_system, outcome, (size, None))?.mean_us()
            },
        )
    };
    rows.iter().flat_map(row).collect()
}

/// The cells of table 2 that this table contradicts: a bare read that takes longer than the whole response with the same file. `reads` is the
/// operation of table 2; `cells` have what is simulated.
pub(super) fn contradictions(
    table: &PublishedTable,
    cells: &[ReproducedCell],
    (reads, section): (&str, &str),
) -> Vec<DocumentClaim> {
    let bare = tr65_table2::published();
    let mut found = Vec::new();
    for (size, suffix) in [("4K", "4k"), ("1M", "1m")] {
        for file_system in ["ext3", "ramfs", "pvfs", "lustre"] {
            let read = bare.figure(file_system, &format!("{reads}_{suffix}"));
            let response = table.figure(size, file_system);
            let (Some(read), Some(response)) = (read, response) else {
                continue;
            };
            if read > response {
                let one = format!("Reading {size} on {file_system} takes {read:.0} µs by itself");
                let other = format!("the whole response with it takes {response:.0} µs");
                found.push(DocumentClaim::contradiction(
                    [one.as_str(), other.as_str()],
                    section,
                    what_models_say(cells, size, file_system),
                ));
            }
        }
    }
    found
}

/// What is simulated with the bare read.
fn what_models_say(cells: &[ReproducedCell], size: &str, file_system: &str) -> String {
    const NONE_CAN: &str = "No model that is made of table 2 can meet this cell.";
    let mut cells = cells.iter();
    let cell = cells.find(|cell| cell.row == size && cell.column == file_system);
    let Some(simulated) = cell.and_then(|cell| cell.simulated) else {
        return NONE_CAN.to_owned();
    };
    format!("{NONE_CAN} Simulated with the bare read, the response takes {simulated:.0} µs.")
}

/// The least response of file systems of these names with files of a size, as simulated.
pub(super) fn least(cells: &[ReproducedCell], size: &str, names: [&str; 2]) -> Option<f64> {
    let own = cells.iter().filter(|cell| cell.row == size);
    let named = own.filter(|cell| names.contains(&cell.column.as_str()));
    named
        .filter_map(|cell| cell.simulated)
        .min_by(f64::total_cmp)
}
