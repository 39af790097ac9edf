//! Ways of using the memory that a plan is chosen from.

use super::groups::{Group, GroupCaches, GroupSplit, GroupWay, Groups, TriedGroups};
use super::judged::Judged;
use super::memory_use::Lever;
use super::prepare::Backtest;
use super::scan::{Chunk, FileCache, PageCache};
use super::shared::{Shared, TriedShared};
use crate::PlanError;
use crate::select::HeldSet;
use crate::value::Values;

/// How to use the memory, whichever accesses it is then done by.
#[derive(Clone)]
pub(super) enum Way<'g> {
    /// Files held beside one page cache.
    Files(Shared),
    /// A memory group for each site.
    Groups(&'g Groups, GroupWay),
}

/// A way, as it does inside the training part.
#[derive(Clone)]
pub(super) struct Tried<'g> {
    pub way: Way<'g>,
    pub judged: Judged,
}

/// The ways that are best inside the training part, of each kind.
pub(super) struct Ways<'g> {
    pub files: TriedShared,
    /// Where the memory is enough for groups.
    pub groups: Option<(&'g Groups, TriedGroups)>,
}

impl<'g> Ways<'g> {
    /// The best files beside one page cache.
    pub fn files(&self) -> Tried<'g> {
        Tried::files(self.files.shared.clone(), self.files.judged.clone())
    }

    /// The page cache alone, but for what sites reserve.
    pub fn nothing(&self) -> Tried<'g> {
        Tried::files(Shared::default(), self.files.nothing.clone())
    }

    /// Groups in which the sites hold files for which `holds`.
    pub fn in_groups(&self, holds: impl Fn(usize) -> bool) -> Option<Tried<'g>> {
        let (groups, tried) = self.groups.as_ref()?;
        Some(Tried::groups(groups, tried.way(holds)))
    }
}

impl<'g> Tried<'g> {
    /// Files held beside one page cache.
    pub fn files(files: Shared, judged: Judged) -> Self {
        let way = Way::Files(files);
        Self { way, judged }
    }

    /// A memory group for each site.
    pub fn groups(groups: &'g Groups, (way, judged): (GroupWay, Judged)) -> Self {
        let way = Way::Groups(groups, way);
        Self { way, judged }
    }
}

impl Way<'_> {
    /// What it uses the memory for.
    pub fn lever(&self) -> Lever {
        match self {
            Self::Files(_) => Lever::Files,
            Self::Groups(_, way) if way.holds_nothing() => Lever::Groups,
            Self::Groups(..) => Lever::GroupsAndFiles,
        }
    }
}

impl<'g> Way<'g> {
    /// What all training accesses make of it.
    pub fn layout(&self, test: &Backtest) -> Result<Layout<'g>, PlanError> {
        Ok(match self {
            Self::Files(shared) => Layout::Files(shared.set(test)),
            Self::Groups(groups, way) => Layout::Groups(groups, groups.split(test, way)?),
        })
    }

    /// What the first training accesses make of it, as many as `known`.
    pub fn layout_of(&self, test: &Backtest, known: usize) -> Result<Layout<'g>, PlanError> {
        Ok(match self {
            Self::Files(shared) => {
                let accesses = &test.training_accesses()[..known];
                Layout::Files(shared.set_of(test, accesses))
            }
            Self::Groups(groups, way) => Layout::Groups(groups, groups.split_of(test, way, known)?),
        })
    }
}

/// What is held, and the memory groups of the sites.
#[derive(Clone)]
pub(super) enum Layout<'g> {
    /// Files beside one page cache.
    Files(HeldSet),
    /// A memory group for each site.
    Groups(&'g Groups, GroupSplit),
}

impl<'g> Layout<'g> {
    /// What is held in all of the memory.
    pub fn set(&self) -> &HeldSet {
        match self {
            Self::Files(set) => set,
            Self::Groups(_, split) => &split.set,
        }
    }

    /// The groups by site; empty where all sites share one page cache.
    pub fn groups(&self) -> &[Group] {
        match self {
            Self::Files(_) => &[],
            Self::Groups(_, split) => &split.groups,
        }
    }

    /// Empty page caches beside what is held.
    pub fn caches(&self, test: &Backtest) -> Result<Caches<'g>, PlanError> {
        Ok(match self {
            Self::Files(set) => Caches::Shared(PageCache::beside(test, set.pages())),
            Self::Groups(groups, split) => Caches::Groups(GroupCaches::new(groups, test, split)?),
        })
    }
}

/// The page caches of a layout.
pub(super) enum Caches<'g> {
    /// One for all sites.
    Shared(PageCache),
    /// One for each site.
    Groups(GroupCaches<'g>),
}

impl FileCache for Caches<'_> {
    fn serve_chunks(
        &mut self,
        values: &Values,
        accesses: &[u32],
        set: &HeldSet,
        observe: impl FnMut(&Chunk),
    ) {
        match self {
            Self::Shared(cache) => cache.serve_chunks(values, accesses, set, observe),
            Self::Groups(caches) => caches.serve_chunks(values, accesses, set, observe),
        }
    }
}
