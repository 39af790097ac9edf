//! B figure 7: small files of one of two sites in a memory file system.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// Gains by the rule that files below 1 MB are in memory.
pub(super) struct Figure7;

/// The backing file system, its experiment, and the largest factor that the document has.
const ROWS: [(&str, KnownExperiment, f64); 2] = [
    ("ext3", known_experiment!("hybrid/ext4.toml"), 1.4),
    ("PVFS", known_experiment!("hybrid/glusterfs.toml"), 4.5),
];

impl DocumentStudy for Figure7 {
    fn name(&self) -> &'static str {
        "char-figure7"
    }

    fn title(&self) -> &'static str {
        "Gain of a site by files below 1 MB in a memory file system, as a factor"
    }

    fn section(&self) -> &'static str {
        "B figure 7"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec!["Not simulated yet. ext4 is measured for ext3, and GlusterFS for PVFS"]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        ROWS.iter().map(|(_, experiment, _)| *experiment).collect()
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let row = |(name, experiment, published): (&str, KnownExperiment, f64)| {
            let claims = sources.measured_claims(experiment.file);
            // The first claim of both files is that of the largest gain.
            let measured = claims.and_then(|claims| claims.first()?.measured);
            ReproducedCell::new(name, "largest gain", Some(published)).measured(measured)
        };
        ROWS.into_iter().map(row).collect()
    }

    fn claims(&self, _cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let claims = ROWS.into_iter();
        let claims = claims.map(|(_, experiment, _)| sources.claims(experiment));
        claims.flatten().collect()
    }
}
