//! A tables 4 and 5: response times by file size, cached and not.

use super::centres_of_a::{Clients, FILE_SYSTEMS};
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

/// The file systems that table 2 has in another order than this table, by size: by opening, closing and reading against the response. `reads` and
/// `section` are as of [`contradictions`].
pub(super) fn contradicted_orders(
    table: &PublishedTable,
    (reads, section): (&str, &str),
) -> Vec<DocumentClaim> {
    let bare = tr65_table2::published();
    let mut found = Vec::new();
    for (size, suffix) in [("4K", "4k"), ("1M", "1m")] {
        let alone = |file_system: &str| {
            let opening = bare.figure(file_system, &format!("open_close_{suffix}"))?;
            Some(opening + bare.figure(file_system, &format!("{reads}_{suffix}"))?)
        };
        let response = |file_system: &str| table.figure(size, file_system);
        let (Some(alone), Some(response)) = (in_order(alone), in_order(response)) else {
            continue;
        };
        if alone == response {
            continue;
        }
        let one = format!("By opening, closing and reading {size} the order is {alone} (table 2)");
        let other = format!("by the response with it the order is {response}");
        found.push(DocumentClaim::contradiction(
            [one.as_str(), other.as_str()],
            section,
            "No model that is made of table 2 alone can keep both orders.",
        ));
    }
    found
}

/// The file systems from the fastest on, in words; those that take as long are together.
fn in_order(us: impl Fn(&str) -> Option<f64>) -> Option<String> {
    let all = FILE_SYSTEMS.map(|file_system| Some((us(file_system)?, file_system)));
    let mut all: Vec<(f64, &str)> = all.into_iter().collect::<Option<_>>()?;
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let groups = all.chunk_by(|one, other| one.0.total_cmp(&other.0).is_eq());
    let groups = groups.map(|group| {
        let names: Vec<&str> = group.iter().map(|(_, name)| *name).collect();
        names.join(" and ")
    });
    Some(groups.collect::<Vec<String>>().join(", "))
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
        for file_system in FILE_SYSTEMS {
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
