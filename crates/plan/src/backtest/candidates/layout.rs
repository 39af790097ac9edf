//! How the memory of a node is laid out: what is held, and the page caches beside it.

use super::groups::{Group, GroupCaches, GroupSplit, Groups};
use crate::PlanError;
use crate::backtest::prepare::Backtest;
use crate::backtest::scan::{Chunk, FileCache, PageCache, Scan};
use crate::select::HeldSet;

/// What is held, and the memory groups of the sites.
#[derive(Clone)]
pub(crate) enum Layout<'g> {
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
pub(crate) enum Caches<'g> {
    /// One for all sites.
    Shared(PageCache),
    /// One for each site.
    Groups(GroupCaches<'g>),
}

impl FileCache for Caches<'_> {
    fn serve_chunks(&mut self, scan: Scan, observe: impl FnMut(&Chunk)) {
        match self {
            Self::Shared(cache) => cache.serve_chunks(scan, observe),
            Self::Groups(caches) => caches.serve_chunks(scan, observe),
        }
    }
}
