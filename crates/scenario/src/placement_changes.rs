//! What changes when one placement takes the place of another.

use std::collections::HashSet;

use crate::placement::{FilePath, PlacedFile, Placement};

/// Files that a placement holds and another does not. A file is known by node, site and path.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacementChanges<'a> {
    /// Held now and not before, in the order of moving.
    pub added: Vec<&'a PlacedFile>,
    /// Held before and now, as they are now.
    pub kept: Vec<&'a PlacedFile>,
    /// Held before and not now, as they were before.
    pub dropped: Vec<&'a PlacedFile>,
    /// Whether the memory groups of sites are others, or of other sizes.
    pub groups_differ: bool,
    /// Whether database servers get other memory.
    pub databases_differ: bool,
}

impl PlacementChanges<'_> {
    /// Whether nothing is to be done.
    pub fn is_empty(&self) -> bool {
        let are_files_the_same = self.added.is_empty() && self.dropped.is_empty();
        are_files_the_same && !self.groups_differ && !self.databases_differ
    }
}

impl Placement {
    /// What changes when this placement takes the place of `previous`.
    pub fn changes_from<'a>(&'a self, previous: &'a Placement) -> PlacementChanges<'a> {
        let (before, now) = (previous.names(), self.names());
        let (kept, added) = (self.files.iter()).partition(|file| before.contains(&name(file)));
        let dropped = previous.files.iter();
        PlacementChanges {
            added,
            kept,
            dropped: dropped.filter(|file| !now.contains(&name(file))).collect(),
            groups_differ: self.groups != previous.groups,
            databases_differ: self.databases != previous.databases,
        }
    }

    fn names(&self) -> HashSet<Name<'_>> {
        self.files.iter().map(name).collect()
    }
}

type Name<'a> = (&'a str, &'a str, &'a FilePath);

fn name(file: &PlacedFile) -> Name<'_> {
    (&file.node, &file.site, &file.path)
}
