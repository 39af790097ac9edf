//! What a table or figure of a document is: published figures, ours, and what the text claims of them.
//!
//! To add one: a file of `studies` with a type that implements [`DocumentStudy`], or with a
//! [`PlainStudy`](super::plain_study::PlainStudy), and its place in `studies::ALL`.

use super::cell::ReproducedCell;
use super::document_claim::DocumentClaim;
use super::drawing::Drawing;
use super::ordering::Orderings;
use super::sources::{KnownExperiment, Sources};

/// A table or figure of a document.
pub(crate) trait DocumentStudy: Sync {
    /// Its name, such as `tr65-table4`.
    fn name(&self) -> &'static str;

    /// What it shows, and where: a sentence without its full stop.
    fn title(&self) -> &'static str;

    /// Where it stands: the document's letter, then the table, figure or section.
    fn section(&self) -> &'static str;

    /// What is not simulated or measured yet, and what is to be known beside the figures, in sentences.
    fn notes(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// The experiments of which it shows results.
    fn experiments(&self) -> Vec<KnownExperiment> {
        Vec::new()
    }

    /// Its figures, row by row.
    fn cells(&self, sources: &Sources) -> Vec<ReproducedCell>;

    /// Whether its columns, in the document's order of each row, keep that order here.
    fn orderings(&self, _cells: &[ReproducedCell]) -> Orderings {
        Orderings::default()
    }

    /// What the document draws of its figures, with ours.
    fn drawings(&self, _cells: &[ReproducedCell]) -> Vec<Drawing> {
        Vec::new()
    }

    /// What the text claims, its contradictions included.
    fn claims(&self, cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim>;
}
