//! A table 5: response times through the data-centre, no file cached.

use super::centres_of_a::SIMULATED;
use super::file_system_choice::{LOCAL, NETWORK};
use super::file_systems::{EXPERIMENT, ON_OTHER_MACHINES, STAND_INS};
use super::served_table::{self, least};
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
            SIMULATED,
            ON_OTHER_MACHINES,
            STAND_INS,
            "Memory file systems have nothing to drop: their uncached file is one that was just written",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let mut cells = served_table::cells(&published(), sources, "uncached");
        let mut all = cells.iter_mut();
        if let Some(cell) = all.find(|cell| is_misprinted(cell))
            && let Some(cause) = cell.simulated.and_then(misprint)
        {
            cell.explained = Some(cause);
        }
        cells
    }

    fn orderings(&self, cells: &[ReproducedCell]) -> Orderings {
        Orderings::of_columns(cells)
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let of = ("read_uncached", "A tables 2 and 5");
        let mut claims = served_table::contradictions(&published(), cells, of);
        claims.extend(served_table::contradicted_orders(&published(), of));
        claims.insert(0, large_files_suit_networks(cells));
        let misprinted = cells.iter().find(|cell| is_misprinted(cell));
        let simulated = misprinted.and_then(|cell| cell.simulated);
        let simulated = simulated.map_or_else(String::new, |it| format!(" Simulated: {it:.0} µs."));
        claims.push(DocumentClaim::contradiction(
            [
                "ext3 reads 1 MB from its disk in 76312 µs, which is 14 MB/s, and 4 KB in 1500 µs (table 2)",
                "ext3 reads 39 MB/s from this disk (B table 1), and half a turn of a disk of 7200 a minute takes 4167 µs",
            ],
            "A table 2, B table 1",
            "B has the disk of these nodes, with 39 MB/s and its model (B §3.2, §4.1, table 1). That one is simulated, with its seeks.",
        ));
        claims.push(DocumentClaim::contradiction(
            [
                "Lustre takes 1666 µs for 64 KB",
                "it takes 14705 µs for 4 KB and 20366 µs for 256 KB",
            ],
            "A table 5",
            format!("A misprint: by its neighbours 16666 is meant.{simulated}"),
        ));
        claims
    }
}

/// What the misprint is meant to be: it takes 14705 µs with 4 KB and 20366 µs with 256 KB.
const MEANT: f64 = 16_666.0;

/// Whether a cell is the one that is misprinted.
fn is_misprinted(cell: &ReproducedCell) -> bool {
    cell.row == "64K" && cell.column == "lustre"
}

/// What explains its error, where a simulated figure is near what is meant.
fn misprint(simulated: f64) -> Option<String> {
    let percent = 100.0 * (simulated / MEANT - 1.0);
    (percent.abs() <= 20.0)
        .then(|| format!("a misprint for {MEANT:.0}: beside that it is {percent:+.0} %"))
}

/// Whether local file systems are faster with small files that are not cached, and network ones with large files.
fn large_files_suit_networks(cells: &[ReproducedCell]) -> DocumentClaim {
    let ratio = |size: &str| {
        // ramfs has all files in memory.
        let local = least(cells, size, [LOCAL[0], LOCAL[0]])?;
        Some(local / least(cells, size, NETWORK)?)
    };
    let ratios = ratio("4K").zip(ratio("1M"));
    DocumentClaim::new(
        "files that are not cached: ext3 is faster with small files, and network file systems with large ones",
        "A §4.2, table 5",
        ratios.map(|(small, large)| small < 1.0 && large > 1.0),
        ratios.map_or_else(
            || "Not simulated.".to_owned(),
            |(small, large)| {
                format!(
                    "Simulated: ext3 takes {small:.2} of what the best network file system does with 4 KB, and {large:.2} with 1 MB."
                )
            },
        ),
    )
}
