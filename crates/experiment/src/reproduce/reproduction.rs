//! All studies, or those that are named, and what they come to together.

use std::path::Path;

use hotset_lab::{Control, go_on};
use serde::Serialize;

use super::cell::ReproducedCell;
use super::document_claim::DocumentClaim;
use super::document_study::DocumentStudy;
use super::drawing::Drawing;
use super::ordering::Orderings;
use super::sources::Sources;
use super::studies;
use crate::ExperimentError;
use crate::quantile::median;

/// Tables, figures and claims of the documents, beside ours.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Reproduction {
    /// The studies, in the order of the documents.
    pub studies: Vec<ReproducedStudy>,
    /// Of cells that have an error: how many are within so many percent.
    pub cells_within: CellsWithin,
    /// Pairs of figures in the documents' order, and not.
    pub orderings: Orderings,
    /// What the documents claim.
    pub claims: DocumentClaims,
    /// Whether there was a folder of experiments to take measured figures from.
    #[serde(skip)]
    pub has_experiments: bool,
    /// What could not be used, or kept, in sentences.
    #[serde(skip)]
    pub remarks: Vec<String>,
}

/// A table or figure of a document.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReproducedStudy {
    /// Its name.
    pub name: &'static str,
    /// Its figures, row by row; none where the document only draws them.
    pub cells: Vec<ReproducedCell>,
    /// Median of the errors without their signs; null without errors.
    pub median_error_percent: Option<f64>,
    /// What it shows.
    #[serde(skip)]
    pub title: &'static str,
    /// Where it stands: the document's letter, then the table, figure or section.
    #[serde(skip)]
    pub section: &'static str,
    /// What the document draws of the figures.
    #[serde(skip)]
    pub drawings: Vec<Drawing>,
    /// What is not simulated or measured yet, and what is to be known beside the figures.
    #[serde(skip)]
    pub notes: Vec<&'static str>,
}

/// How many cells have an error of so many percent or less.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CellsWithin {
    /// Of 10 % or less.
    #[serde(rename = "10")]
    pub ten: u64,
    /// Of 20 % or less.
    #[serde(rename = "20")]
    pub twenty: u64,
    /// Of 40 % or less.
    #[serde(rename = "40")]
    pub forty: u64,
    /// All that have an error.
    pub all: u64,
}

/// What the documents claim.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct DocumentClaims {
    /// How many hold.
    pub hold: u64,
    /// How many do not.
    pub fail: u64,
    /// How many are pairs of passages that contradict each other.
    pub contradictory: u64,
    /// All, those too that nothing decides yet.
    pub list: Vec<DocumentClaim>,
}

/// Names of all studies.
pub fn names() -> impl Iterator<Item = &'static str> {
    studies::ALL.iter().map(|study| study.name())
}

/// The studies of these names, all where there are none; names that no study has are passed over. Measured figures are those that the
/// experiments below `folder` keep. What models predict of them is kept there too.
///
/// # Errors
/// [`hotset_lab::LabError::Interrupted`]. An experiment or a result that cannot be used is left out, and remarked on.
pub fn reproduce(
    names: &[String],
    folder: &Path,
    control: &dyn Control,
) -> Result<Reproduction, ExperimentError> {
    let sources = Sources::below(folder, control);
    let (mut shown, mut claims) = (Vec::new(), Vec::new());
    let mut orderings = Orderings::default();
    for study in studies::named(names) {
        go_on(control)?;
        let cells = study.cells(&sources);
        orderings = orderings.and(study.orderings(&cells));
        let own = study.claims(&cells, &sources).into_iter();
        claims.extend(own.map(|claim| DocumentClaim {
            study: study.name(),
            ..claim
        }));
        shown.push(ReproducedStudy::of(study, cells));
    }
    // An interruption leaves out what the last study would have shown.
    go_on(control)?;
    let cells = shown.iter().flat_map(|study| &study.cells);
    Ok(Reproduction {
        cells_within: CellsWithin::of(cells),
        studies: shown,
        orderings,
        claims: DocumentClaims::of(claims),
        has_experiments: sources.has_experiments(),
        remarks: sources.into_remarks(),
    })
}

impl ReproducedStudy {
    fn of(study: &dyn DocumentStudy, cells: Vec<ReproducedCell>) -> Self {
        let errors = cells.iter().filter_map(|cell| cell.error_percent);
        Self {
            name: study.name(),
            median_error_percent: median(errors.map(f64::abs)),
            drawings: study.drawings(&cells),
            cells,
            title: study.title(),
            section: study.section(),
            notes: study.notes(),
        }
    }

    /// Whether any of its figures is simulated or measured.
    pub fn has_ours(&self) -> bool {
        self.cells.iter().any(|cell| cell.ours().is_some())
    }
}

impl CellsWithin {
    fn of<'c>(cells: impl IntoIterator<Item = &'c ReproducedCell>) -> Self {
        let mut all = Self::default();
        for error in cells.into_iter().filter_map(|cell| cell.error_percent) {
            let is_within = |percent: f64| u64::from(error.abs() <= percent);
            all.ten += is_within(10.0);
            all.twenty += is_within(20.0);
            all.forty += is_within(40.0);
            all.all += 1;
        }
        all
    }
}

impl DocumentClaims {
    fn of(list: Vec<DocumentClaim>) -> Self {
        let count = |is_one: fn(&DocumentClaim) -> bool| {
            list.iter().filter(|claim| is_one(claim)).count() as u64
        };
        Self {
            hold: count(|claim| claim.holds == Some(true)),
            fail: count(|claim| claim.holds == Some(false)),
            contradictory: count(DocumentClaim::is_contradiction),
            list,
        }
    }
}
