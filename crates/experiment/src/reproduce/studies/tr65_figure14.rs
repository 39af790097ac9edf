//! A figure 14: hot files in a memory file system where locality is low.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

use super::gains;
use super::simulated_gains::{self, Gains, IN_RAMFS, UNPOLLUTED};
use super::two_sites::{Of, Placed, TwoSites};
use crate::reproduce::asked::Popular;

/// Gains by a memory file system over a network file system.
pub(super) struct Figure14;

const CELLS: [&str; 3] = ["0x2", "1x2", "0x3"];
const ARMS: [&str; 3] = ["ramfs", "apply-bind", "apply-hot-root"];
const EXPERIMENT: KnownExperiment = known_experiment!("network/low-locality.toml");
const EXPONENTS: [(f64, KnownExperiment); 3] = [
    (0.5, known_experiment!("network/alpha-0.5.toml")),
    (0.75, known_experiment!("network/alpha-0.75.toml")),
    (0.9, known_experiment!("network/alpha-0.9.toml")),
];
/// The largest gain that the document has, percent.
const PUBLISHED: f64 = 15.0;
/// As the claims of the experiments have it.
const UP_TO: std::ops::RangeInclusive<f64> = 5.0..=25.0;

impl DocumentStudy for Figure14 {
    fn name(&self) -> &'static str {
        "tr65-figure14"
    }

    fn title(&self) -> &'static str {
        "Gain of a site with little locality by hot files in a memory file system, percent"
    }

    fn section(&self) -> &'static str {
        "A figure 14"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "Measured over GlusterFS, with sizes that say nothing about popularity and an exponent of 0.75",
            simulated_gains::SIMULATED,
            "Both sites have 4 GB of files. `ramfs over PVFS` and `ramfs over Lustre` follow calls to I/O nodes, and the largest gain is theirs",
            "`ramfs, A's nodes` and `unpolluted alone` have PVFS by lines through A table 2, as files that stay in memory at the costs of PVFS are simulated by lines alone",
            "Rows are foreground x background: `0x2` is class 0 beside class 2",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        let mut all = vec![EXPERIMENT];
        all.extend(EXPONENTS.map(|(_, experiment)| experiment));
        all
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let matrix = gains::Matrix {
            results: "network/results-low-locality",
            cells: &CELLS,
            arms: &ARMS,
        };
        let mut cells = matrix.cells(sources, PUBLISHED, &[]);
        let simulated = on_documents_machines(sources);
        if let Some(gain) = largest_by_calls(&simulated)
            && let Some(first) = cells.first_mut()
        {
            *first = first.clone().simulated(Some(gain));
        }
        cells.extend(simulated);
        cells
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let mut claims = Vec::new();
        for (exponent, experiment) in EXPONENTS {
            claims.extend(sources.claims(experiment).into_iter().map(|claim| {
                let simulated = judged(&claim.text, exponent, cells);
                claim.and_simulated(simulated)
            }));
        }
        claims.push(DocumentClaim::contradiction(
            [
                "Figure 14 is called frequently accessed tables in ramfs and remaining tables in PVFS",
                "the text has it show static files by Zipf exponent",
            ],
            "A figure 14, §4.5",
            "The caption belongs to another figure.",
        ));
        claims
    }
}

/// Row of an exponent.
fn row(exponent: f64) -> String {
    format!("exponent {exponent}")
}

/// Network file systems, and columns of gains over them where calls to I/O nodes are followed.
const BY_CALLS: [(&str, &str); 2] = [
    ("pvfs", "ramfs over PVFS, A's nodes"),
    ("lustre", "ramfs over Lustre, A's nodes"),
];

/// The largest gain over a network file system.
fn largest_by_calls(cells: &[ReproducedCell]) -> Option<f64> {
    let columns = BY_CALLS.into_iter();
    let gains = columns.filter_map(|(_, column)| simulated_gains::largest(cells, column));
    gains.max_by(f64::total_cmp)
}

/// Gains on the machines of A over network file systems.
fn by_calls(sources: &Sources) -> Vec<ReproducedCell> {
    let places = EXPONENTS.into_iter().flat_map(|(exponent, _)| {
        BY_CALLS.map(|(backing, column)| {
            let sites = TwoSites {
                of: Of::AByCalls,
                backing,
                foreground: Popular::Exponent(exponent),
                background: Popular::Exponent(exponent),
            };
            (row(exponent), column, sites)
        })
    });
    let places: Vec<(String, &str, TwoSites)> = places.collect();
    let sites: Vec<TwoSites> = places.iter().map(|(.., sites)| *sites).collect();
    let gains = Gains::of(sources, &sites, &[Placed::HotInRamfs]);
    let cells = places
        .iter()
        .filter_map(|(row, column, sites)| gains.cell(row, column, (*sites, Placed::HotInRamfs)));
    cells.collect()
}

/// Gains on the machines of A: over network file systems, and over PVFS by lines.
fn on_documents_machines(sources: &Sources) -> Vec<ReproducedCell> {
    let sites = EXPONENTS.map(|(exponent, _)| TwoSites {
        of: Of::A,
        backing: "pvfs",
        foreground: Popular::Exponent(exponent),
        background: Popular::Exponent(exponent),
    });
    let ways = [Placed::HotInRamfs, Placed::HotUnpolluted];
    let gains = Gains::of(sources, &sites, &ways);
    let mut cells = by_calls(sources);
    for ((exponent, _), sites) in EXPONENTS.into_iter().zip(sites) {
        for (column, way) in [IN_RAMFS, UNPOLLUTED].into_iter().zip(ways) {
            cells.extend(gains.cell(&row(exponent), column, (sites, way)));
        }
    }
    cells
}

/// What is simulated of a claim of the experiment with an exponent.
fn judged(text: &str, exponent: f64, cells: &[ReproducedCell]) -> Option<(bool, String)> {
    let gain = |column: &str| simulated_gains::simulated(cells, &row(exponent), column);
    let (in_ramfs, unpolluted) = (gain(IN_RAMFS)?, gain(UNPOLLUTED)?);
    if text.contains("pollution") {
        let words = format!("Simulated: {unpolluted:.1} % with the costs of PVFS.");
        return Some((unpolluted > 0.0, words));
    }
    if text.contains("opening") {
        let words =
            format!("Simulated: {in_ramfs:.1} %, of which {unpolluted:.1} with the costs of PVFS.");
        return Some((in_ramfs > unpolluted, words));
    }
    let over = BY_CALLS.map(|(_, column)| {
        let gains = EXPONENTS
            .map(|(exponent, _)| simulated_gains::simulated(cells, &row(exponent), column));
        gains.into_iter().collect::<Option<Vec<f64>>>()
    });
    let over: Vec<Vec<f64>> = over.into_iter().collect::<Option<_>>()?;
    let most = largest_by_calls(cells)?;
    let in_words = over.iter().map(|gains| {
        let gains: Vec<String> = gains.iter().map(|gain| format!("{gain:.1} %")).collect();
        gains.join(", ")
    });
    let in_words: Vec<String> = in_words.collect();
    let words = format!(
        "Simulated with exponents of 0.5, 0.75 and 0.9: {} over PVFS and Lustre.",
        in_words.join("; ")
    );
    let rises = over.iter().all(|gains| gains.is_sorted());
    Some((UP_TO.contains(&most) && rises, words))
}
