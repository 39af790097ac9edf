//! What a plan uses memory for.

use serde::Serialize;

use crate::select::HeldSet;
use crate::value::Values;

/// Held files in total.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct HeldAmount {
    /// Files.
    pub objects: u64,
    /// Bytes of the files.
    pub bytes: u64,
    /// Whole 4096-byte pages they take: what counts against memory.
    pub pages: u64,
}

impl HeldAmount {
    /// Files of these sizes.
    pub(crate) fn of(values: &Values, set: &HeldSet) -> Self {
        let objects = set.objects();
        Self {
            objects: objects.len() as u64,
            bytes: objects.iter().map(|&object| values.size(object)).sum(),
            pages: set.pages(),
        }
    }

    /// What several nodes hold.
    pub(crate) fn of_all(nodes: impl Iterator<Item = Self>) -> Self {
        nodes.fold(Self::default(), |sum, node| Self {
            objects: sum.objects + node.objects,
            bytes: sum.bytes + node.bytes,
            pages: sum.pages + node.pages,
        })
    }
}

/// What a plan uses memory for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Lever {
    /// Held files beside one page cache for all sites.
    #[default]
    Files,
    /// A page cache for each site, in a memory group of its own.
    Groups,
    /// Both.
    GroupsAndFiles,
}

impl Lever {
    /// Of all nodes.
    pub(crate) fn of_all(mut nodes: impl Iterator<Item = Lever>) -> Lever {
        let first = nodes.next().unwrap_or_default();
        match nodes.all(|lever| lever == first) {
            true => first,
            false => Lever::GroupsAndFiles,
        }
    }
}

/// A site's memory group: its files in memory, held or in its page cache. What its server needs besides comes on top.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct GroupSize {
    /// Bytes of the group at most; 0 for a site without files.
    pub memory_bytes: u64,
    /// Bytes that no one else may take: what is held, reserved, or needed for the site's targets.
    pub floor_bytes: u64,
}

impl GroupSize {
    /// With that of another node.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            memory_bytes: self.memory_bytes + other.memory_bytes,
            floor_bytes: self.floor_bytes + other.floor_bytes,
        }
    }
}
