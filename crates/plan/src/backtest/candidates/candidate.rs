//! Candidates of using the memory that a plan is chosen from.

use super::files::{FileCandidate, FileStrategy};
use super::groups::{GroupCandidates, GroupStrategy, Groups};
use super::layout::Layout;
use super::memory_use::Lever;
use crate::PlanError;
use crate::backtest::judgement::Judgement;
use crate::backtest::prepare::Backtest;

/// How to use the memory, whichever accesses it is then done by.
#[derive(Clone)]
pub(crate) enum Strategy<'g> {
    /// Files held beside one page cache.
    Files(FileStrategy),
    /// A memory group for each site.
    Groups(&'g Groups, GroupStrategy),
}

/// A way, as it does inside the training part.
#[derive(Clone)]
pub(crate) struct Candidate<'g> {
    pub strategy: Strategy<'g>,
    pub judgement: Judgement,
}

/// The ways that are best inside the training part, of each kind.
pub(crate) struct Candidates<'g> {
    pub files: FileCandidate,
    /// Where the memory is enough for groups.
    pub groups: Option<(&'g Groups, GroupCandidates)>,
}

impl<'g> Candidates<'g> {
    /// The best files beside one page cache.
    pub fn files(&self) -> Candidate<'g> {
        Candidate::files(self.files.strategy.clone(), self.files.judgement.clone())
    }

    /// The page cache alone, but for what sites reserve.
    pub fn nothing(&self) -> Candidate<'g> {
        Candidate::files(FileStrategy::default(), self.files.nothing.clone())
    }

    /// Groups in which the sites hold files for which `holds`.
    pub fn in_groups(&self, holds: impl Fn(usize) -> bool) -> Option<Candidate<'g>> {
        let (groups, tried) = self.groups.as_ref()?;
        Some(Candidate::groups(groups, tried.strategy(holds)))
    }
}

impl<'g> Candidate<'g> {
    /// Files held beside one page cache.
    pub fn files(files: FileStrategy, judgement: Judgement) -> Self {
        let strategy = Strategy::Files(files);
        Self {
            strategy,
            judgement,
        }
    }

    /// A memory group for each site.
    pub fn groups(groups: &'g Groups, (strategy, judgement): (GroupStrategy, Judgement)) -> Self {
        let strategy = Strategy::Groups(groups, strategy);
        Self {
            strategy,
            judgement,
        }
    }
}

impl Strategy<'_> {
    /// What it uses the memory for.
    pub fn lever(&self) -> Lever {
        match self {
            Self::Files(_) => Lever::Files,
            Self::Groups(_, strategy) if strategy.holds_nothing() => Lever::Groups,
            Self::Groups(..) => Lever::GroupsAndFiles,
        }
    }
}

impl<'g> Strategy<'g> {
    /// What all training accesses make of it.
    pub fn layout(&self, test: &Backtest) -> Result<Layout<'g>, PlanError> {
        Ok(match self {
            Self::Files(files) => Layout::Files(files.set(test)),
            Self::Groups(groups, strategy) => Layout::Groups(groups, groups.split(test, strategy)?),
        })
    }

    /// What the first training accesses make of it, as many as `known`.
    pub fn layout_of(&self, test: &Backtest, known: usize) -> Result<Layout<'g>, PlanError> {
        Ok(match self {
            Self::Files(files) => {
                let accesses = &test.training_accesses()[..known];
                Layout::Files(files.set_of(test, accesses))
            }
            Self::Groups(groups, strategy) => {
                Layout::Groups(groups, groups.split_of(test, strategy, known)?)
            }
        })
    }
}
