//! A figure 7: throughput of the classes by file system.

use super::file_system_choice::{self, FITTING, SIMULATED, in_words, local_over_network};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{OpenClaim, open_claims};
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// Throughput of the classes.
pub(super) struct Figure7;

const EXPERIMENTS: [KnownExperiment; 2] = [
    known_experiment!("served-classes/classes.toml"),
    known_experiment!("served-classes/shuffled.toml"),
];
const CLASSES: [&str; 5] = ["class-0", "class-1", "class-2", "class-3", "class-4"];
const OPEN: [OpenClaim; 1] = [OpenClaim {
    text: "dynamic content: PVFS well below the local file systems, Lustre like them",
    section: "A §4.2, figure 7b",
    missing: "Not judged yet: databases are not modelled.",
}];

impl DocumentStudy for Figure7 {
    fn name(&self) -> &'static str {
        "tr65-figure7"
    }

    fn title(&self) -> &'static str {
        "Throughput of classes 0 to 4 by file system, requests a second"
    }

    fn section(&self) -> &'static str {
        "A figure 7, B figure 6"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The document only draws it",
            SIMULATED,
            "Where claims are measured, GlusterFS stands for PVFS, and ext4 for ext3",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        EXPERIMENTS.to_vec()
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let classes = CLASSES.into_iter();
        classes
            .flat_map(|class| file_system_choice::cells(sources, class))
            .collect()
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let experiments = EXPERIMENTS.into_iter();
        let mut claims: Vec<DocumentClaim> =
            experiments.flat_map(|it| sources.claims(it)).collect();
        claims.push(small_classes(cells));
        claims.extend(open_claims(&OPEN));
        claims
    }
}

/// Whether local file systems are ahead where files fit in memory.
fn small_classes(cells: &[ReproducedCell]) -> DocumentClaim {
    let ratios = local_over_network(cells, &FITTING);
    DocumentClaim::new(
        "classes 0 to 2: local file systems get more done than network ones, which pay for opening files",
        "A §4.2, figure 7a",
        ratios
            .as_ref()
            .map(|ratios| ratios.iter().all(|ratio| *ratio > 1.0)),
        ratios.as_ref().map_or_else(
            || "Not simulated.".to_owned(),
            |ratios| {
                format!(
                    "Simulated: the best local file system gets {} times as much done as the best network one.",
                    in_words(ratios)
                )
            },
        ),
    )
}
