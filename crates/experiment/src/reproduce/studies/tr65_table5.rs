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
        served_table::cells(&published(), sources, "uncached")
    }

    fn orderings(&self, cells: &[ReproducedCell]) -> Orderings {
        Orderings::of_columns(cells)
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let of = ("read_uncached", "A tables 2 and 5");
        let mut claims = served_table::contradictions(&published(), cells, of);
        claims.insert(0, large_files_suit_networks(cells));
        let mut misprinted = cells.iter();
        let misprinted = misprinted.find(|cell| cell.row == "64K" && cell.column == "lustre");
        let simulated = misprinted.and_then(|cell| cell.simulated);
        let simulated = simulated.map_or_else(String::new, |it| format!(" Simulated: {it:.0} µs."));
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
