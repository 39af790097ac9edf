//! A table 4: response times through the data-centre, all files cached.

use super::centres_of_a::SIMULATED;
use super::file_system_choice::{LOCAL, NETWORK, in_words};
use super::file_systems::{EXPERIMENT, ON_OTHER_MACHINES, STAND_INS};
use super::served_table::{self, least};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::ordering::Orderings;
use crate::reproduce::published_table::PublishedTable;
use crate::reproduce::sources::{KnownExperiment, Sources};

/// Response times, cached.
pub(super) struct Table4;

fn published() -> PublishedTable {
    PublishedTable::of(include_str!("../published/tr65-table4.csv"))
}

impl DocumentStudy for Table4 {
    fn name(&self) -> &'static str {
        "tr65-table4"
    }

    fn title(&self) -> &'static str {
        "Response through proxy and web server, all files cached, by file system, µs"
    }

    fn section(&self) -> &'static str {
        "A table 4"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![SIMULATED, ON_OTHER_MACHINES, STAND_INS]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        served_table::cells(&published(), sources, "cached")
    }

    fn orderings(&self, cells: &[ReproducedCell]) -> Orderings {
        Orderings::of_columns(cells)
    }

    fn claims(&self, cells: &[ReproducedCell], _sources: &Sources) -> Vec<DocumentClaim> {
        let of = ("read_cached", "A tables 2 and 4");
        let mut claims = served_table::contradictions(&published(), cells, of);
        claims.extend(served_table::contradicted_orders(&published(), of));
        claims.insert(0, local_is_as_good(cells));
        claims
    }
}

/// Whether local file systems are faster with cached files, or about as fast.
fn local_is_as_good(cells: &[ReproducedCell]) -> DocumentClaim {
    const COMPARABLE: f64 = 1.1;
    let ratios = ["4K", "64K", "256K", "1M"].map(|size| {
        let local = least(cells, size, LOCAL)?;
        Some(local / least(cells, size, NETWORK)?)
    });
    let ratios: Option<Vec<f64>> = ratios.into_iter().collect();
    DocumentClaim::new(
        "cached files: local file systems are faster than network ones, or about as fast",
        "A §4.2, table 4",
        ratios
            .as_ref()
            .map(|ratios| ratios.iter().all(|ratio| *ratio <= COMPARABLE)),
        ratios.map_or_else(
            || "Not simulated.".to_owned(),
            |ratios| {
                format!(
                    "Simulated: the best local file system takes {} of what the best network one does, by rising size.",
                    in_words(&ratios)
                )
            },
        ),
    )
}
