//! A figure 10: hits of one site and of two like sites.

use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// Hits alone over hits beside another site.
pub(super) struct Figure10;

const EXPERIMENT: KnownExperiment = known_experiment!("two-sites/experiment.toml");

/// Classes of which the text gives the drop: "by nearly a factor of ten".
const CLASSES: [&str; 2] = ["class 3", "class 4"];
/// See [`CLASSES`].
const DROP: f64 = 10.0;

impl DocumentStudy for Figure10 {
    fn name(&self) -> &'static str {
        "tr65-figure10"
    }

    fn title(&self) -> &'static str {
        "Hits of one site alone, over hits of two like sites on the same servers"
    }

    fn section(&self) -> &'static str {
        "A figure 10"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec!["Measured on half the memory with files of half the size; not simulated yet"]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let claims = sources.measured_claims(EXPERIMENT.file).unwrap_or_default();
        let measured = |class: &str| {
            let of_drop = format!("{class}: hits drop");
            claims
                .iter()
                .find(|it| it.says.starts_with(&of_drop))?
                .measured
        };
        let cell = |class: &str| {
            ReproducedCell::new(class, "hits alone over hits of two", Some(DROP))
                .measured(measured(class))
        };
        CLASSES.into_iter().map(cell).collect()
    }

    fn claims(&self, _cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        sources.claims(EXPERIMENT)
    }
}
