//! The groups that an outcome is told apart by.

use std::fmt;

use serde::{Deserialize, Serialize};
use strum::{EnumCount, IntoStaticStr, VariantArray};

use crate::Score;

/// What a group of requests has in common.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    EnumCount,
    IntoStaticStr,
    VariantArray,
)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum GroupKind {
    /// A web site.
    Site,
    /// Files of one size or of one class of sizes.
    Size,
    /// A job of a benchmark.
    Job,
    /// A store that files live in.
    Store,
    /// Pages of one type of a web application.
    Page,
}

impl GroupKind {
    /// All.
    pub const ALL: [Self; Self::COUNT] = *Self::VARIANTS.first_chunk().unwrap();

    /// As documents write it, and in words.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What tells one group of an outcome from the others.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct GroupKey {
    /// What the requests of the group have in common.
    pub kind: GroupKind,
    /// Which of its kind.
    pub name: String,
    /// What was done; absent where operations are not told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
}

impl GroupKey {
    /// All requests of the group `name`.
    pub fn new(kind: GroupKind, name: impl Into<String>) -> GroupKey {
        GroupKey {
            kind,
            name: name.into(),
            operation: None,
        }
    }

    /// One operation of the group.
    pub fn with_operation(mut self, operation: impl Into<String>) -> GroupKey {
        self.operation = Some(operation.into());
        self
    }
}

/// Without the kind: `shop`, `read cached 4K`.
impl fmt::Display for GroupKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.operation {
            Some(operation) => write!(f, "{operation} {}", self.name),
            None => f.write_str(&self.name),
        }
    }
}

/// One group and its score, or what is made of the score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Group<T = Score> {
    /// Which.
    #[serde(flatten)]
    pub key: GroupKey,
    /// Its score.
    #[serde(flatten)]
    pub score: T,
}

/// A group of kind site as documents have it, under `sites` rather than `groups`: sites came first, and what
/// reads them there is to go on working.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct WrittenSite<T> {
    /// Site name.
    site: String,
    #[serde(flatten)]
    score: T,
}

/// Groups as documents have them: sites, and all others.
pub(crate) fn written<T>(groups: Vec<Group<T>>) -> (Vec<WrittenSite<T>>, Vec<Group<T>>) {
    let (mut sites, mut others) = (Vec::new(), Vec::new());
    for Group { key, score } in groups {
        match key {
            GroupKey {
                kind: GroupKind::Site,
                name: site,
                operation: None,
                // Under `sites` it would be read as a size.
            } if size_key(&site).is_none() => sites.push(WrittenSite { site, score }),
            key => others.push(Group { key, score }),
        }
    }
    (sites, others)
}

/// Groups from how documents have them.
///
/// Documents from before groups had kinds wrote sizes as sites named `4K` or `read cached 4K`: where all sites
/// are named so, they are sizes.
pub(crate) fn read<T>(sites: Vec<WrittenSite<T>>, groups: Vec<Group<T>>) -> Vec<Group<T>> {
    let sizes: Option<Vec<GroupKey>> = sites.iter().map(|of| size_key(&of.site)).collect();
    let keys = sizes.unwrap_or_else(|| {
        let site = |of: &WrittenSite<T>| GroupKey::new(GroupKind::Site, &of.site);
        sites.iter().map(site).collect()
    });
    let sites = keys.into_iter().zip(sites);
    sites
        .map(|(key, WrittenSite { score, .. })| Group { key, score })
        .chain(groups)
        .collect()
}

/// The group of a site that is named as a size, with or without an operation before it.
fn size_key(site: &str) -> Option<GroupKey> {
    let (operation, size) = match site.rsplit_once(' ') {
        Some((operation, size)) => (Some(operation.to_owned()), size),
        None => (None, site),
    };
    let digits = size.strip_suffix(['K', 'M', 'G'])?;
    let is_size = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_size.then(|| GroupKey {
        operation,
        ..GroupKey::new(GroupKind::Size, size)
    })
}
