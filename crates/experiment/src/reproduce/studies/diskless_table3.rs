//! C table 3: what the document's disks deliver, locally and over NFS.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::Sources;

use super::diskless::{RATE_ROWS, Rate, SETTINGS, rates};
use super::diskless_knees::NOT_SIMULATED;

/// The table.
pub(super) struct Table3;

/// The rows of class 3.
const LOCAL: &str = RATE_ROWS[2].0;
const NFS: &str = RATE_ROWS[3].0;

impl DocumentStudy for Table3 {
    fn name(&self) -> &'static str {
        "diskless-table3"
    }

    fn title(&self) -> &'static str {
        "What a disk delivers locally and over NFS, MB/s"
    }

    fn section(&self) -> &'static str {
        "C table 3"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Simulated on the machines of experiments/diskless-simulated: a program copies one file after the other. The drive's rate is this table's first row, which is an input and has no error. Nothing else is fitted to it",
        ]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let table = PublishedTable::of(include_str!("../published/diskless-specweb99.csv"));
        let simulated = sources.simulated("diskless-table3", SETTINGS, rates);
        let simulated: Vec<Rate> = simulated.unwrap_or_default();
        let cells = RATE_ROWS.into_iter().map(|(row, ..)| {
            let ours = simulated.iter().find(|rate| rate.row == row);
            let cell = ReproducedCell::new(row, "MB/s", table.figure(row, "value"));
            let cell = cell.simulated(ours.map(|rate| rate.mb_per_s));
            // The drive has this rate.
            if row == RATE_ROWS[0].0 {
                cell.into_input()
            } else {
                cell
            }
        });
        cells.collect()
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let of = |row: &str| {
            let cell = cells.iter().find(|cell| cell.row == row);
            cell.and_then(|cell| cell.simulated)
        };
        let loss = of(LOCAL)
            .zip(of(NFS))
            .map(|(local, nfs)| 100.0 * (1.0 - nfs / local));
        vec![DocumentClaim::new(
            "files of class 3 come 16 % slower over NFS",
            "C §5.2, table 3",
            loss.map(|loss| (5.0..30.0).contains(&loss)),
            loss.map_or_else(
                || NOT_SIMULATED.to_owned(),
                |loss| format!("Simulated: {loss:.0} % slower."),
            ),
        )]
    }
}
