//! Ways of using a node's memory. Each says what is held and how; [`Stage`](super::stage::Stage) does the placing.
//!
//! To add one: a row of [`ARMS`]. A rule that chooses files is a function in a file here. A new way of holding files is a variant of
//! [`Means`], and the compiler shows where it matters.

mod choice;
mod hottest;
mod means;
mod pages;
mod plan;
mod size_rule;

pub(super) use choice::{Choice, NOTHING, Priority, Room, Situation};
pub(super) use means::Means;
pub(super) use pages::{page_bytes_of, within};
pub(super) use plan::Goal;

use crate::ExperimentError;
use hottest::{group_of_hottest, hottest_files};
use size_rule::small_of_foreground;

/// A way of using the memory.
pub(crate) struct Arm {
    /// As files and options write it.
    pub name: &'static str,
    /// How it holds files.
    pub means: Means,
    /// What chooses them.
    pub chooser: Chooser,
    /// Whose requests it serves.
    pub traffic: Traffic,
}

/// What chooses the files that are held.
pub(crate) enum Chooser {
    /// Nothing: all memory is left to the page cache.
    Nothing,
    /// A rule that somebody has published.
    Rule(Rule),
    /// `hotset plan`.
    Planner(Goal),
    /// `hotset run`, started without a plan.
    Daemon(Goal),
}

/// Chooses files by the training part.
type Rule = fn(&Situation) -> Result<Choice, ExperimentError>;

/// Whose requests are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Traffic {
    /// Those of both sites, as everything that is compared is asked for.
    BothSites,
    /// Those of the foreground alone.
    Foreground,
}

/// The ways there are, those that the others are compared with first.
pub(super) static ARMS: [Arm; 19] = [
    // All memory is page cache.
    Arm::new("page-cache", Means::Nothing, Chooser::Nothing),
    // What `hotset plan` chooses: files that share their memory with one page cache.
    Arm::planned("plan", Means::Ramfs, Goal::Mean),
    Arm::planned("plan-weight", Means::Ramfs, Goal::Weight),
    Arm::planned("plan-target", Means::Ramfs, Goal::Target),
    // The same with memory groups, with held files or without, where the planner finds them better.
    Arm::planned("groups-weight", Means::Groups, Goal::Weight),
    Arm::planned("groups-target", Means::Groups, Goal::Target),
    // The documents' multi file system: the hottest files of the foreground in ramfs ("Workload-driven analysis of file systems
    // in shared multi-tier data-centers over InfiniBand", section 4.5).
    Arm::ruled("ramfs", Means::Ramfs, hottest_files),
    // The same files, locked into the page cache where they are.
    Arm::ruled("vmtouch", Means::Locked, hottest_files),
    // A memory group for the foreground's server, with as much memory as the ramfs arm holds files in.
    Arm::ruled("own-group", Means::OwnGroup, group_of_hottest),
    // "All small files (less than 1MB)" of a site in ramfs: "Characterization of multi-tier data-centers", section 4.4.
    Arm::ruled("size-rule", Means::Ramfs, small_of_foreground),
    // The foreground without the background: what the background takes from it.
    Arm {
        traffic: Traffic::Foreground,
        ..Arm::new("alone", Means::Nothing, Chooser::Nothing)
    },
    // The plan, held by `hotset apply` with each placer.
    Arm::planned("apply-pin", Means::Pin, Goal::Mean),
    Arm::planned("apply-bind", Means::Bind, Goal::Mean),
    Arm::planned("apply-hot-root", Means::HotRoot, Goal::Mean),
    // The plan with memory groups, each site held by a `hotset apply --placer pin` of its own.
    Arm::planned("apply-groups", Means::PinInGroups, Goal::Mean),
    Arm::planned("apply-groups-weight", Means::PinInGroups, Goal::Weight),
    Arm::planned("apply-groups-target", Means::PinInGroups, Goal::Target),
    // What `hotset run` holds, started without a plan.
    Arm::new("run", Means::Run, Chooser::Daemon(Goal::Mean)),
    Arm::new("run-weight", Means::Run, Chooser::Daemon(Goal::Weight)),
];

/// The page cache alone, with which the others are compared.
pub(super) static PAGE_CACHE: &Arm = &ARMS[0];

/// The arm called `name`.
pub(super) fn named(name: &str) -> Result<&'static Arm, String> {
    let found = ARMS.iter().find(|arm| arm.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = ARMS.iter().map(|arm| arm.name).collect();
        format!("`{name}` is none of {}", names.join(", "))
    })
}

impl Arm {
    const fn new(name: &'static str, means: Means, chooser: Chooser) -> Self {
        Self {
            name,
            means,
            chooser,
            traffic: Traffic::BothSites,
        }
    }

    const fn planned(name: &'static str, means: Means, goal: Goal) -> Self {
        Self::new(name, means, Chooser::Planner(goal))
    }

    const fn ruled(name: &'static str, means: Means, rule: Rule) -> Self {
        Self::new(name, means, Chooser::Rule(rule))
    }

    /// What it makes of the memory.
    ///
    /// # Errors
    /// When nothing can be chosen.
    pub fn choose(&self, situation: &Situation) -> Result<Choice, ExperimentError> {
        match self.chooser {
            Chooser::Nothing | Chooser::Daemon(_) => Ok(NOTHING.clone()),
            Chooser::Rule(rule) => rule(situation),
            Chooser::Planner(goal) => plan::choose(situation, goal, self.means.may_part()),
        }
    }

    /// What hotset, if it chooses, chooses for.
    pub fn goal(&self) -> Option<Goal> {
        match self.chooser {
            Chooser::Planner(goal) | Chooser::Daemon(goal) => Some(goal),
            Chooser::Nothing | Chooser::Rule(_) => None,
        }
    }

    /// Whether it heeds what the foreground is owed.
    pub fn has_priority(&self) -> bool {
        matches!(self.goal(), Some(Goal::Weight | Goal::Target))
    }

    /// Whether what it gains is the ratio of two nodes that are asked in turn.
    pub fn is_compared(&self) -> bool {
        self.means.chooses() && self.traffic == Traffic::BothSites
    }

    /// Whether the planner's model is of it.
    pub fn is_modelled(&self) -> bool {
        self.traffic == Traffic::BothSites && self.means != Means::Run
    }
}
