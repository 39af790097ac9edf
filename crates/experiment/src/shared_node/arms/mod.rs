//! Ways of using a node's memory. Each chooses what is held and says how; [`Stage`](super::stage::Stage) does the placing.
//!
//! To add one: a file here with an [`Arm`], and its place in [`ARMS`]. The compiler asks for everything else: an [`Arm`] has
//! no default, and a new way of holding files is a variant of [`Means`] that is matched wherever it matters.

mod alone;
mod own_group;
mod page_cache;
mod plan;
mod ramfs;
mod size_rule;
mod vmtouch;

pub(super) use hotset_cache::PAGE_BYTES;
use serde::{Deserialize, Serialize};

use super::cost_lines::MeasuredCosts;
use super::workload::CellWorkload;
use crate::ExperimentError;

pub(super) use page_cache::PAGE_CACHE;
pub(super) use plan::PLAN;

/// What a choice is made from: nothing of the held-out part but that it exists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation<'a> {
    /// The requests; only those of the training part may be looked at.
    pub workload: &'a CellWorkload,
    /// Memory for file data, bytes: the node's limit less what the server and the kernel take.
    pub memory_bytes: u64,
    /// What serving costs.
    pub costs: &'a MeasuredCosts,
}

/// How the held files are kept in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Means {
    /// Not at all.
    Nothing,
    /// Copied into a ramfs of the node, which the server looks into first.
    Ramfs,
    /// Locked into the page cache by `vmtouch -l`.
    Locked,
    /// The foreground's server has a memory group of its own, as large as the held files and the server.
    OwnGroup,
}

impl Means {
    /// Whether files are chosen at all. The choice needs to know the memory that the page cache alone has for files.
    pub fn chooses(self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Ramfs | Self::Locked | Self::OwnGroup => true,
        }
    }

    /// Whether the planner's model is of it: it has one memory that both sites share.
    pub fn is_modelled(self) -> bool {
        match self {
            Self::Nothing | Self::Ramfs | Self::Locked => true,
            Self::OwnGroup => false,
        }
    }
}

/// Whose requests are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Traffic {
    /// Those of both sites, as everything that is compared is asked for.
    BothSites,
    /// Those of the foreground alone.
    Foreground,
}

/// A way of using the memory.
pub(crate) struct Arm {
    /// As files and options write it.
    pub name: &'static str,
    /// How it holds files.
    pub means: Means,
    /// Whose requests it serves.
    pub traffic: Traffic,
    /// Objects it holds, the most valuable first; an error when nothing can be chosen.
    pub held: fn(&Situation) -> Result<Vec<u32>, ExperimentError>,
}

/// The ways there are, those that the others are compared with first.
pub(super) static ARMS: [&Arm; 7] = [
    &page_cache::PAGE_CACHE,
    &plan::PLAN,
    &ramfs::RAMFS,
    &vmtouch::VMTOUCH,
    &own_group::OWN_GROUP,
    &size_rule::SIZE_RULE,
    &alone::ALONE,
];

impl Arm {
    /// The arm called `name`.
    pub fn named(name: &str) -> Result<&'static Self, String> {
        let found = ARMS.into_iter().find(|arm| arm.name == name);
        found.ok_or_else(|| {
            let names = ARMS.map(|arm| arm.name);
            format!("`{name}` is none of {}", names.join(", "))
        })
    }

    /// Whether what it gains is the ratio of two nodes that are asked in turn.
    pub fn is_compared(&self) -> bool {
        self.means.chooses() && self.traffic == Traffic::BothSites
    }

    /// Whether the planner's model is of it.
    pub fn is_modelled(&self) -> bool {
        self.means.is_modelled() && self.traffic == Traffic::BothSites
    }
}

/// Holds no files.
fn nothing(_situation: &Situation) -> Result<Vec<u32>, ExperimentError> {
    Ok(Vec::new())
}

/// Pages of a file.
pub(super) fn pages(bytes: u64) -> u64 {
    bytes.div_ceil(PAGE_BYTES).max(1)
}

/// The objects of `ranking` that fit into `budget_bytes`, in its order.
pub(super) fn within(
    workload: &CellWorkload,
    ranking: impl Iterator<Item = u32>,
    budget_bytes: u64,
) -> Vec<u32> {
    let mut left = budget_bytes / PAGE_BYTES;
    ranking
        .filter(|&object| {
            let pages = pages(workload.size(object));
            let fits = pages <= left;
            left -= if fits { pages } else { 0 };
            fits
        })
        .collect()
}

/// The foreground's files that the training part has seen, the most requested first.
fn foreground_by_requests(workload: &CellWorkload) -> Vec<u32> {
    let counts = workload.counts();
    let mut objects: Vec<u32> = (0..counts.len() as u32)
        .filter(|&object| workload.site(object) == 0 && counts[object as usize] > 0)
        .collect();
    objects.sort_by_key(|&object| std::cmp::Reverse(counts[object as usize]));
    objects
}

/// The hottest files of the foreground, in as much memory as the plan gives to held files, so that arms differ in what
/// they hold and not in how much. Where the plan holds nothing, in half of the memory.
fn hottest_of_foreground(situation: &Situation) -> Result<Vec<u32>, ExperimentError> {
    let planned = plan::held(situation)?;
    let workload = situation.workload;
    let planned: u64 = planned
        .iter()
        .map(|&object| pages(workload.size(object)))
        .sum();
    let budget = match planned * PAGE_BYTES {
        0 => situation.memory_bytes / 2,
        bytes => bytes,
    };
    let ranking = foreground_by_requests(workload);
    Ok(within(workload, ranking.into_iter(), budget))
}
