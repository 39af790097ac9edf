//! The one result type.

use serde::{Deserialize, Serialize};

use crate::Score;

/// How a result came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Provenance {
    /// Simulated, measured or quoted.
    pub kind: ProvenanceKind,
    /// The machine it ran on, or the source it is quoted from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// Seed of every random choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Settings as (name, value), in the order given.
    #[serde(default)]
    pub settings: Vec<(String, String)>,
    /// Date as the caller writes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
}

impl ProvenanceKind {
    /// As documents write it.
    pub fn name(self) -> &'static str {
        match self {
            ProvenanceKind::Simulated => "simulated",
            ProvenanceKind::Measured => "measured",
            ProvenanceKind::Reference => "reference",
        }
    }
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SiteScore {
    /// Site name.
    pub site: String,
    /// Its score.
    #[serde(flatten)]
    pub score: Score,
}

/// Version of how an [`Outcome`] is written, its key `version`.
pub const VERSION: u32 = 1;

/// A result: simulated, measured or quoted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it is written: [`VERSION`]. A document that does not say is of that version.
    #[serde(default = "current_version")]
    pub version: u32,
    /// What was tried.
    pub name: String,
    /// How it came about.
    pub provenance: Provenance,
    /// One score a site.
    #[serde(default)]
    pub sites: Vec<SiteScore>,
    /// The score of all sites together.
    pub total: Score,
}

fn current_version() -> u32 {
    VERSION
}

impl Outcome {
    /// An outcome of this version.
    pub fn new(name: impl Into<String>, provenance: Provenance, total: Score) -> Outcome {
        Outcome {
            version: VERSION,
            name: name.into(),
            provenance,
            sites: Vec::new(),
            total,
        }
    }

    /// The same with the score of one more site.
    pub fn with_site(mut self, site: impl Into<String>, score: Score) -> Outcome {
        let site = site.into();
        self.sites.push(SiteScore { site, score });
        self
    }
}
