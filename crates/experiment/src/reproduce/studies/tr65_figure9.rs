//! A figure 9: throughput by Zipf exponent, at 4 GB of files.

use super::file_system_choice::{self, SIMULATED, best, in_words};
use crate::reproduce::cell::ReproducedCell;
use crate::reproduce::document_claim::DocumentClaim;
use crate::reproduce::document_study::DocumentStudy;
use crate::reproduce::plain_study::{Contradiction, contradictions};
use crate::reproduce::sources::{KnownExperiment, Sources, known_experiment};

/// Throughput by exponent.
pub(super) struct Figure9;

const EXPERIMENT: KnownExperiment = known_experiment!("served-classes/alphas.toml");
const EXPONENTS: [&str; 3] = ["exponent-0.5", "exponent-0.75", "exponent-1.1"];

/// How the claims of the experiment begin that a simulation may decide.
const AT_MIDDLE: &str = "at an exponent of 0.75";
const PVFS_RISES: &str = "as the exponent rises PVFS";
const EXT3_RISES: &str = "as the exponent rises ext3";

const CONTRADICTIONS: [Contradiction; 1] = [Contradiction {
    passages: [
        "As the exponent rises the popular files grow, and PVFS gets ahead (A §4.3)",
        "with a high exponent most requests are for a small fraction of the files (B §6.2)",
    ],
    section: "A §4.3, B §6.2",
    why: "Zipf's law, of which A §3.1 has the formula and no direction, is as B says. The claims of figure 9 say which direction is taken here.",
}];

impl DocumentStudy for Figure9 {
    fn name(&self) -> &'static str {
        "tr65-figure9"
    }

    fn title(&self) -> &'static str {
        "Throughput by Zipf exponent with 4 GB of files, by file system, requests a second"
    }

    fn section(&self) -> &'static str {
        "A figure 9"
    }

    fn notes(&self) -> Vec<&'static str> {
        vec![
            "The document only draws it",
            SIMULATED,
            "Where claims are measured, GlusterFS stands for PVFS, and ext4 for ext3",
            "Two claims are the two directions: at most one of them can hold",
        ]
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        vec![EXPERIMENT]
    }

    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell> {
        let exponents = EXPONENTS.into_iter();
        exponents
            .flat_map(|exponent| file_system_choice::cells(sources, exponent))
            .collect()
    }

    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let ratios = ext3_over_pvfs(cells);
        let claims = sources.claims(EXPERIMENT).into_iter();
        let mut claims: Vec<DocumentClaim> = claims
            .map(|claim| match &ratios {
                Some(ratios) if claim.holds.is_none() => simulated(claim, *ratios),
                _ => claim,
            })
            .collect();
        claims.extend(contradictions(&CONTRADICTIONS).map(|claim| match &ratios {
            Some(ratios) => with_ratios(claim, ratios),
            None => claim,
        }));
        claims
    }
}

/// What ext3 gets done over what PVFS does, by exponent.
fn ext3_over_pvfs(cells: &[ReproducedCell]) -> Option<[f64; 3]> {
    let ratio = |exponent: &str| {
        let local = best(cells, exponent, &["ext3"])?;
        Some(local / best(cells, exponent, &["pvfs"])?)
    };
    let [low, middle, high] = EXPONENTS.map(ratio);
    Some([low?, middle?, high?])
}

/// A claim that no run decides, decided by what is simulated.
fn simulated(claim: DocumentClaim, ratios: [f64; 3]) -> DocumentClaim {
    let [low, middle, high] = ratios;
    let begins = |with: &str| claim.text.starts_with(with);
    let holds = if begins(AT_MIDDLE) {
        middle > 1.0
    } else if begins(PVFS_RISES) {
        high < low
    } else if begins(EXT3_RISES) {
        high > low
    } else {
        return claim;
    };
    DocumentClaim {
        holds: Some(holds),
        ..with_ratios(claim, &ratios)
    }
}

/// A claim with what is simulated.
fn with_ratios(claim: DocumentClaim, ratios: &[f64]) -> DocumentClaim {
    let why = format!(
        "{} Simulated: ext3 gets {} times as much done as PVFS at exponents of 0.5, 0.75 and 1.1.",
        claim.why,
        in_words(ratios)
    );
    DocumentClaim { why, ..claim }
}
