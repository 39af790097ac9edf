//! Ways of using a node's memory. Each chooses what is held and says how; [`Stage`](super::stage::Stage) does the placing.
//!
//! To add one: a file here with a type that implements [`Arm`], and its place in [`ARMS`]. The compiler asks for everything
//! else: [`Arm`] has no default, and a new way of holding files is a variant of [`Means`] that is matched wherever it matters.

mod alone;
mod own_group;
mod page_cache;
pub(super) mod plan;
mod ramfs;
mod size_rule;
mod vmtouch;

use serde::{Deserialize, Serialize};

use super::cost_lines::MeasuredCosts;
use super::workload::CellWorkload;
use crate::ExperimentError;

pub(crate) use page_cache::PageCache;

/// Bytes of a page of memory.
pub(super) const PAGE_BYTES: u64 = 4096;

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
pub(crate) trait Arm: Sync {
    /// As files and options write it.
    fn name(&self) -> &'static str;

    /// How it holds files.
    fn means(&self) -> Means;

    /// Whose requests it serves.
    fn traffic(&self) -> Traffic;

    /// Objects it holds, the most valuable first.
    ///
    /// # Errors
    /// When nothing can be chosen.
    fn held(&self, situation: &Situation) -> Result<Vec<u32>, ExperimentError>;
}

/// The ways there are, those that the others are compared with first.
pub(crate) static ARMS: [&dyn Arm; 7] = [
    &PageCache,
    &plan::Plan,
    &ramfs::Ramfs,
    &vmtouch::Vmtouch,
    &own_group::OwnGroup,
    &size_rule::SizeRule,
    &alone::Alone,
];

impl dyn Arm {
    /// Whether what it gains is the ratio of two nodes that are asked in turn.
    pub fn is_compared(&self) -> bool {
        self.means().chooses() && self.traffic() == Traffic::BothSites
    }

    /// Whether the planner's model is of it.
    pub fn is_modelled(&self) -> bool {
        self.means().is_modelled() && self.traffic() == Traffic::BothSites
    }
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
    let planned = plan::Plan.held(situation)?;
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
