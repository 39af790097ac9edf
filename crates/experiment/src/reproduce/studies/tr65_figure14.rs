//! A figure 14: hot files in a memory file system where locality is low.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

use super::gains;

/// Gains by a memory file system over a network file system.
pub(super) struct Figure14;

const CELLS: [&str; 3] = ["0x2", "1x2", "0x3"];
const ARMS: [&str; 3] = ["ramfs", "apply-bind", "apply-hot-root"];
const EXPERIMENT: KnownExperiment = known_experiment!("network/low-locality.toml");
const EXPONENTS: [KnownExperiment; 3] = [
    known_experiment!("network/alpha-0.5.toml"),
    known_experiment!("network/alpha-0.75.toml"),
    known_experiment!("network/alpha-0.9.toml"),
];

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
            "Measured over GlusterFS, with sizes that say nothing about popularity and an exponent of 0.75; not simulated yet",
            "Rows are foreground x background: `0x2` is class 0 beside class 2",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        let mut all = vec![EXPERIMENT];
        all.extend(EXPONENTS);
        all
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let matrix = gains::Matrix {
            results: "network/results-low-locality",
            cells: &CELLS,
            arms: &ARMS,
        };
        matrix.cells(sources, 15.0, &[])
    }

    fn claims(&self, _cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let experiments = EXPONENTS.into_iter();
        let mut claims: Vec<DocumentClaim> =
            experiments.flat_map(|it| sources.claims(it)).collect();
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
