//! B figure 10: disks by class.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// Throughput of disk systems over that of IDE.
pub(super) struct Figure10;

const EXPERIMENT: KnownExperiment = known_experiment!("disks/classes.toml");

/// Row, column, percent that the document has, and how the experiment's claim begins.
const CELLS: [(&str, &str, f64, &str); 4] = [
    ("class 0", "SCSI", 6.0, "class 0: SCSI"),
    ("class 0", "RAID", 10.0, "class 0: RAID"),
    ("class 3", "SCSI", 40.0, "class 3: SCSI"),
    ("class 3", "RAID", 100.0, "class 3: RAID"),
];

impl DocumentStudy for Figure10 {
    fn name(&self) -> &'static str {
        "char-figure10"
    }

    fn title(&self) -> &'static str {
        "Throughput of disk systems over that of IDE, by class, percent more"
    }

    fn section(&self) -> &'static str {
        "B figure 10"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec!["Not simulated yet"]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let claims = sources.measured_claims(EXPERIMENT.file).unwrap_or_default();
        let measured = |begins: &str| {
            let ratio = claims
                .iter()
                .find(|it| it.says.starts_with(begins))?
                .measured?;
            Some(100.0 * (ratio - 1.0))
        };
        let cell = |(row, column, published, begins): (&str, &str, f64, &str)| {
            ReproducedCell::new(row, column, Some(published)).measured(measured(begins))
        };
        CELLS.into_iter().map(cell).collect()
    }

    fn claims(&self, _cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        sources.claims(EXPERIMENT)
    }
}
