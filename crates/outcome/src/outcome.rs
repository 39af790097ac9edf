//! The one result type.

use serde::Serialize;

use crate::Score;

/// How a result came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum ProvenanceKind {
    /// Computed by a model.
    Simulated,
    /// Taken on a real system.
    Measured,
    /// Quoted from the literature.
    Reference,
}

/// Where a result comes from and how to get it again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Provenance {
    /// Simulated, measured or quoted.
    pub kind: ProvenanceKind,
    /// The machine it ran on, or the source it is quoted from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// Seed of every random choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Settings as (name, value), in the order given.
    pub settings: Vec<(String, String)>,
    /// Date as the caller writes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

impl Provenance {
    /// A provenance of this kind that says nothing else yet.
    pub fn new(kind: ProvenanceKind) -> Self {
        Self {
            kind,
            machine: None,
            seed: None,
            settings: Vec::new(),
            date: None,
        }
    }
}

/// The score of one site.
#[derive(Clone, Debug, Serialize)]
pub struct SiteScore {
    /// Site name.
    pub site: String,
    /// Its score.
    #[serde(flatten)]
    pub score: Score,
}

/// A result: simulated, measured or quoted.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// What was tried.
    pub name: String,
    /// How it came about.
    pub provenance: Provenance,
    /// One score a site.
    pub sites: Vec<SiteScore>,
    /// The score of all sites together.
    pub total: Score,
}
