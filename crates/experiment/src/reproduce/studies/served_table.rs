//! A tables 4 and 5: response times by file size, cached and not.

use super::{file_systems, tr65_table2};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::Sources;

/// The rows of a table of response times; `outcome` is what the experiment calls it.
pub(super) fn cells(
    table: &PublishedTable,
    sources: &Sources,
    outcome: &str,
) -> Vec<ReproducedCell> {
    let row = |size: &'static str| {
        file_systems::row(
            size,
            |file_system| table.figure(size, file_system),
            |file_system| {
                file_systems::score(sources, file_system, outcome, (size, None))?.mean_us()
            },
        )
    };
    table.rows().flat_map(|of| row(of.name())).collect()
}

/// The cells of table 2 that this table contradicts: a bare read that takes longer than the whole response with the same file. `reads` is the
/// operation of table 2.
pub(super) fn contradictions(
    table: &PublishedTable,
    reads: &str,
    section: &str,
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
                let why = "No model that is made of table 2 can meet this cell.";
                found.push(DocumentClaim::contradiction(
                    [one.as_str(), other.as_str()],
                    section,
                    why,
                ));
            }
        }
    }
    found
}
