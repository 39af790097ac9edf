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
            "The simulated backing file system is PVFS by A table 2, and both sites have 4 GB of files",
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
        if let Some(gain) = simulated_gains::largest(&simulated, IN_RAMFS)
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

/// Gains on the machines of A over PVFS.
fn on_documents_machines(sources: &Sources) -> Vec<ReproducedCell> {
    let sites = EXPONENTS.map(|(exponent, _)| TwoSites {
        of: Of::A,
        backing: "pvfs",
        foreground: Popular::Exponent(exponent),
        background: Popular::Exponent(exponent),
    });
    let ways = [Placed::HotInRamfs, Placed::HotUnpolluted];
    let gains = Gains::of(sources, &sites, &ways);
    let mut cells = Vec::new();
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
    let all =
        EXPONENTS.map(|(exponent, _)| simulated_gains::simulated(cells, &row(exponent), IN_RAMFS));
    let all: Vec<f64> = all.into_iter().collect::<Option<_>>()?;
    let most = all.iter().copied().max_by(f64::total_cmp)?;
    let in_words: Vec<String> = all.iter().map(|gain| format!("{gain:.1} %")).collect();
    let words = format!(
        "Simulated with exponents of 0.5, 0.75 and 0.9: {}.",
        in_words.join(", ")
    );
    Some((UP_TO.contains(&most) && all.is_sorted(), words))
}
