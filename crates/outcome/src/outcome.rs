//! The one result type.

use serde::{Deserialize, Serialize};

use crate::group::{self, WrittenSite};
use crate::{Group, GroupKey, GroupKind, Link, Resource, Score};

/// How a result came about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, strum::IntoStaticStr)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[non_exhaustive]
pub enum ProvenanceKind {
    /// Simulated by a model.
    Simulated,
    /// Calculated by formulas.
    Calculated,
    /// Taken on a real system.
    Measured,
    /// Quoted from the literature.
    Reference,
}

/// Where a result comes from and how to get it again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Provenance {
    /// Simulated by a model, calculated by formulas, taken on a real system, or quoted from the literature.
    pub kind: ProvenanceKind,
    /// The machine it ran on, or the source it is quoted from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<String>,
    /// Seed of every random choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// [name, value] of each setting.
    #[serde(default)]
    pub settings: Vec<(String, String)>,
    /// When it was had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The log that its requests come from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub traffic: Option<Traffic>,
}

/// A log as it was read: what tells it from others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Traffic {
    /// Time of the first request (RFC 3339); null without times.
    pub first: Option<String>,
    /// Time of the last request.
    pub last: Option<String>,
    /// Requests.
    pub requests: u64,
    /// Those that read a file.
    pub accesses: u64,
}

impl ProvenanceKind {
    /// As documents write it.
    pub fn name(self) -> &'static str {
        self.into()
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
            traffic: None,
        }
    }
}

/// Latest version of how an [`Outcome`] is written, its key `version`; all up to it are read.
///
/// It rises only when what is written cannot be read as before: new keys alone leave it as it is.
pub(crate) const VERSION: u32 = 1;

/// A result: simulated, measured or quoted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(try_from = "Written", into = "Written")]
pub struct Outcome {
    /// What was tried.
    pub name: String,
    /// How it came about.
    pub provenance: Provenance,
    /// By size, job or store; left out without any.
    pub groups: Vec<Group>,
    /// All requests together.
    pub total: Score,
    /// What requests waited for; left out where not known.
    pub resources: Vec<Resource>,
    /// What carried them; left out where not known.
    pub links: Vec<Link>,
}

impl Outcome {
    /// An outcome in total alone.
    pub fn new(name: impl Into<String>, provenance: Provenance, total: Score) -> Outcome {
        Outcome {
            name: name.into(),
            provenance,
            groups: Vec::new(),
            total,
            resources: Vec::new(),
            links: Vec::new(),
        }
    }

    /// The same with the score of one more site.
    pub fn with_site(self, site: impl Into<String>, score: Score) -> Outcome {
        self.with_group(GroupKey::new(GroupKind::Site, site), score)
    }

    /// The same with the score of one more group.
    pub fn with_group(mut self, key: GroupKey, score: Score) -> Outcome {
        self.groups.push(Group { key, score });
        self
    }

    /// The groups of one kind.
    pub fn of_kind(&self, kind: GroupKind) -> impl Iterator<Item = &Group> {
        self.groups
            .iter()
            .filter(move |group| group.key.kind == kind)
    }

    /// The score of one group.
    pub fn score_of(&self, key: &GroupKey) -> Option<&Score> {
        let mut groups = self.groups.iter();
        groups
            .find(|group| group.key == *key)
            .map(|group| &group.score)
    }
}

/// An outcome as documents have it. One that does not say its version is of the first.
#[derive(Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Written {
    /// Version of how an outcome is written.
    #[serde(default = "first_version")]
    #[cfg_attr(feature = "schemas", schemars(extend("const" = VERSION)))]
    version: u32,
    /// What was tried.
    name: String,
    /// How it came about.
    provenance: Provenance,
    /// Site by site.
    #[serde(default)]
    sites: Vec<WrittenSite<Score>>,
    /// By size, job or store; left out without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    groups: Vec<Group>,
    /// All requests together.
    total: Score,
    /// What requests waited for; left out where not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    resources: Vec<Resource>,
    /// What carried them; left out where not known.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    links: Vec<Link>,
}

fn first_version() -> u32 {
    1
}

impl From<Outcome> for Written {
    fn from(outcome: Outcome) -> Written {
        let (sites, groups) = group::written(outcome.groups);
        Written {
            version: VERSION,
            name: outcome.name,
            provenance: outcome.provenance,
            sites,
            groups,
            total: outcome.total,
            resources: outcome.resources,
            links: outcome.links,
        }
    }
}

impl TryFrom<Written> for Outcome {
    type Error = String;

    fn try_from(written: Written) -> Result<Outcome, String> {
        if written.version > VERSION {
            return Err(format!(
                "outcome `{}` is of version {}, newer than {VERSION}",
                written.name, written.version
            ));
        }
        Ok(Outcome {
            name: written.name,
            provenance: written.provenance,
            groups: group::read(written.sites, written.groups),
            total: written.total,
            resources: written.resources,
            links: written.links,
        })
    }
}
