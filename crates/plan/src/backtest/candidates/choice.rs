//! What is chosen for one node.

use hotset_cache::PAGE_BYTES;
use serde::Serialize;

use super::candidate::{Candidate, Candidates, Strategy};
use super::files::FileCandidate;
use super::groups::Favour;
use super::layout::Layout;
use super::memory_use::{GroupSize, HeldAmount, Lever};
use super::starvation::RejectedCandidate;
use crate::PlanError;
use crate::backtest::judgement::Judgement;
use crate::backtest::nodes::{Node, weighted_mean};
use crate::backtest::prepare::Backtest;
use crate::backtest::steps::share_at;
use crate::select::{Bound, HeldSet, bound, select};

/// What validation inside the training part says of the chosen split.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Validation {
    /// Weighted mean response with nothing held but reservations.
    pub page_cache_mean_us: f64,
    /// Mean response with the chosen split, microseconds; null without accesses.
    pub plan_mean_us: f64,
    /// Targets that sites miss with the chosen split; 0 where the mean is all that counts.
    #[serde(skip)]
    pub missed_targets: u32,
    /// By how much, as shares of the targets.
    #[serde(skip)]
    pub target_excess: f64,
    /// Whether a split that does better was passed over because it would starve a site whose clients wait.
    #[serde(skip)]
    pub rejected: bool,
}

/// Says which of the ways of using a node's memory is chosen, and what was rejected for it.
pub(crate) type Rule<'a> = fn(
    &'a Node<'a>,
    &Candidates<'a>,
) -> Result<(Candidate<'a>, Option<RejectedCandidate>), PlanError>;

/// What is chosen for one node.
pub(crate) struct Choice<'a> {
    pub test: &'a Backtest<'a>,
    pub lever: Lever,
    /// Twentieths of memory to hold files in, beside one page cache for all sites.
    pub step: u32,
    pub validated: Validation,
    /// What is held of what the whole training part ranks, and groups where they are chosen.
    pub layout: Layout<'a>,
    /// Groups without and with held files, where there may be some.
    pub groups: Option<[Strategy<'a>; 2]>,
    /// A way that does better by the objective and would starve a site.
    pub rejected: Option<RejectedCandidate>,
}

impl<'a> Choice<'a> {
    /// Chooses beside the page cache alone by `rule`; `near` is the split of a memory that is not much different, where one is
    /// known.
    pub fn of(
        node: &'a Node<'a>,
        alone: &Judgement,
        near: Option<u32>,
        rule: Rule<'a>,
    ) -> Result<Self, PlanError> {
        let test = &node.test;
        test.go_on()?;
        let candidates = Candidates {
            files: FileCandidate::best(test, alone, near),
            groups: match node.fitting_groups() {
                Some(groups) => Some((groups, groups.candidates(test, Favour::default())?)),
                None => None,
            },
        };
        test.go_on()?;
        let (chosen, rejected) = rule(node, &candidates)?;
        test.go_on()?;
        let in_groups = |filled| Some(candidates.in_groups(|_| filled)?.strategy);
        Ok(Self {
            test,
            lever: chosen.strategy.lever(),
            step: match &chosen.strategy {
                Strategy::Files(files) => files.step,
                Strategy::Groups(..) => candidates.files.strategy.step,
            },
            validated: Validation {
                page_cache_mean_us: candidates.files.nothing.mean_us,
                plan_mean_us: chosen.judgement.mean_us,
                missed_targets: chosen.judgement.all_missed(),
                target_excess: chosen.judgement.excess,
                rejected: rejected.is_some(),
            },
            layout: chosen.strategy.layout(test)?,
            groups: in_groups(false).zip(in_groups(true)).map(<[_; 2]>::from),
            rejected,
        })
    }

    /// The memory group of `site`, where the plan has groups; of no memory for a site without files.
    pub fn group_size(&self, site: usize) -> Option<GroupSize> {
        let group = self.layout.groups().get(site)?;
        Some(GroupSize {
            memory_bytes: group.pages * PAGE_BYTES,
            floor_bytes: group.floor_pages * PAGE_BYTES,
        })
    }

    /// Holds no more than what sites reserve.
    pub fn give_up(&mut self) {
        self.lever = Lever::Files;
        self.layout = Layout::Files(self.reserved_set());
        self.step = 0;
    }

    /// What is held where sites have what they reserve and nothing else.
    pub fn reserved_set(&self) -> HeldSet {
        select(
            &self.test.values,
            self.test.training_ranking(),
            self.test.budget(0),
        )
    }

    pub fn held(&self) -> HeldAmount {
        HeldAmount::of(&self.test.values, self.layout.set())
    }

    pub fn page_cache_bytes(&self) -> u64 {
        self.test
            .memory_pages
            .saturating_sub(self.layout.set().pages())
            * PAGE_BYTES
    }

    /// Share of memory given to held files at most.
    pub fn share(&self) -> f64 {
        match self.lever {
            Lever::Files => share_at(self.step),
            _ => self.layout.set().pages() as f64 / self.test.memory_pages.max(1) as f64,
        }
    }

    pub fn bound(&self) -> Bound {
        let mut budget = self.test.budget(self.step);
        if self.lever != Lever::Files {
            budget.pages = self.layout.set().pages();
        }
        bound(
            &self.test.values,
            self.test.training_ranking(),
            self.layout.set(),
            budget,
        )
    }

    /// Bytes to read to get there from what was held before.
    pub fn moved_bytes(&self) -> u64 {
        self.bytes_of(self.layout.set().new_beside(&self.test.previous))
    }

    /// Sizes of the held files of a site.
    pub fn sizes_of(&self, site: usize) -> impl Iterator<Item = u64> {
        let held = self.layout.set().objects().iter();
        let own = held.filter(move |&&object| self.test.values.site(object) == site);
        own.map(|&object| self.test.size(object))
    }

    fn bytes_of(&self, objects: impl Iterator<Item = u32>) -> u64 {
        objects.map(|object| self.test.size(object)).sum()
    }
}

/// Share of the memory of all nodes together.
pub(crate) fn share_of_all(choices: &[Choice]) -> f64 {
    let shares = choices.iter();
    weighted_mean(shares.map(|choice| (choice.share(), choice.test.memory_pages as f64)))
}

impl Validation {
    /// What validation says of all nodes together, each with the accesses that it learnt from.
    pub(crate) fn of_all(choices: &[Choice]) -> Self {
        let mean = |means: fn(&Validation) -> f64| {
            let means = choices.iter().map(|choice| {
                let learnt = choice.test.training as f64;
                (means(&choice.validated), learnt)
            });
            weighted_mean(means)
        };
        Self {
            page_cache_mean_us: mean(|validated| validated.page_cache_mean_us),
            plan_mean_us: mean(|validated| validated.plan_mean_us),
            missed_targets: choices
                .iter()
                .map(|choice| choice.validated.missed_targets)
                .sum(),
            target_excess: choices
                .iter()
                .map(|choice| choice.validated.target_excess)
                .sum(),
            rejected: choices.iter().any(|choice| choice.validated.rejected),
        }
    }
}
