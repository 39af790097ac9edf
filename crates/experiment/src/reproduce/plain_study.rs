//! A study that is made of parts alone: published figures, claims of experiments, claims that nothing decides yet, and contradictions.

use super::cell::ReproducedCell;
use super::document_claim::DocumentClaim;
use super::document_study::DocumentStudy;
use super::drawing::Drawing;
use super::sources::{KnownExperiment, Sources};

/// A study that is made of parts alone.
#[derive(Clone, Copy)]
pub(crate) struct PlainStudy {
    /// See [`DocumentStudy::name`].
    pub name: &'static str,
    /// See [`DocumentStudy::title`].
    pub title: &'static str,
    /// See [`DocumentStudy::section`].
    pub section: &'static str,
    /// See [`DocumentStudy::notes`].
    pub notes: &'static [&'static str],
    /// Its published figures.
    pub published: fn() -> Vec<ReproducedCell>,
    /// See [`DocumentStudy::drawings`].
    pub drawings: fn(&[ReproducedCell]) -> Vec<Drawing>,
    /// Experiments whose files claim what it claims.
    pub experiments: &'static [KnownExperiment],
    /// What it claims beside them.
    pub open: &'static [OpenClaim],
    /// What contradicts each other in it.
    pub contradictions: &'static [Contradiction],
}

/// A claim that nothing here decides yet.
#[derive(Clone, Copy)]
pub(crate) struct OpenClaim {
    /// What the document says.
    pub text: &'static str,
    /// Where.
    pub section: &'static str,
    /// What is missing.
    pub missing: &'static str,
}

/// Two passages that cannot both be true.
#[derive(Clone, Copy)]
pub(crate) struct Contradiction {
    /// What they say.
    pub passages: [&'static str; 2],
    /// Where.
    pub section: &'static str,
    /// What is to be said of them.
    pub why: &'static str,
}

/// A study without parts, to be filled.
pub(crate) const EMPTY: PlainStudy = PlainStudy {
    name: "",
    title: "",
    section: "",
    notes: &[],
    published: Vec::new,
    drawings: |_| Vec::new(),
    experiments: &[],
    open: &[],
    contradictions: &[],
};

impl DocumentStudy for PlainStudy {
    fn name(&self) -> &'static str {
        self.name
    }

    fn title(&self) -> &'static str {
        self.title
    }

    fn section(&self) -> &'static str {
        self.section
    }

    fn notes(&self) -> Vec<&'static str> {
        self.notes.to_vec()
    }

    fn experiments(&self) -> Vec<KnownExperiment> {
        self.experiments.to_vec()
    }

    fn cells(&self, _sources: &Sources) -> Vec<ReproducedCell> {
        (self.published)()
    }

    fn drawings(&self, cells: &[ReproducedCell]) -> Vec<Drawing> {
        (self.drawings)(cells)
    }

    fn claims(&self, _cells: &[ReproducedCell], sources: &Sources) -> Vec<DocumentClaim> {
        let experiments = self.experiments.iter();
        let mut claims: Vec<DocumentClaim> =
            experiments.flat_map(|it| sources.claims(*it)).collect();
        claims.extend(open_claims(self.open));
        claims.extend(contradictions(self.contradictions));
        claims
    }
}

/// Claims that nothing decides yet.
pub(crate) fn open_claims(open: &[OpenClaim]) -> impl Iterator<Item = DocumentClaim> {
    open.iter()
        .map(|it| DocumentClaim::new(it.text, it.section, None, it.missing))
}

/// Contradictions as claims.
pub(crate) fn contradictions(all: &[Contradiction]) -> impl Iterator<Item = DocumentClaim> {
    all.iter()
        .map(|it| DocumentClaim::contradiction(it.passages, it.section, it.why))
}
