//! Ways of using a node's memory. Each chooses what is held; [`Means`] says how it is held.
//!
//! To add one: a file here with a type that implements [`Arm`], a variant of [`ArmKind`] and its places in `ALL`,
//! `name` and `arm`.

mod alone;
mod own_group;
mod page_cache;
mod plan;
mod ramfs;
mod size_rule;
mod vmtouch;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::profile::MeasuredCosts;
use crate::workload::CellWorkload;
use hotset_lab::LabError;

/// Bytes of a page of memory.
pub(crate) const PAGE_BYTES: u64 = 4096;

/// What a choice is made from: nothing of the held-out part but that it exists.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
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
pub enum Means {
    /// Not at all.
    Nothing,
    /// Copied into a ramfs of the node, which the server looks into first.
    Ramfs,
    /// Locked into the page cache by `vmtouch -l`.
    Locked,
    /// The foreground's server has a memory group of its own, as large as the held files and the server.
    OwnGroup,
}

/// A way of using the memory.
pub trait Arm {
    /// How it holds files.
    fn means(&self) -> Means;

    /// Objects it holds, the most valuable first.
    ///
    /// # Errors
    /// When nothing can be chosen.
    fn held(&self, situation: &Situation) -> Result<Vec<u32>, LabError>;

    /// Whether the foreground is alone on the node.
    fn alone(&self) -> bool {
        false
    }

    /// Whether the page cache alone serves the same requests, so that both can be compared.
    fn has_base(&self) -> bool {
        !self.alone() && self.means() != Means::Nothing
    }
}

/// The ways there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArmKind {
    /// All memory is page cache.
    PageCache,
    /// What `hotset plan` chooses.
    Plan,
    /// The documents' multi file system.
    Ramfs,
    /// The same files, locked.
    Vmtouch,
    /// A memory group for the foreground.
    OwnGroup,
    /// Small files of the foreground.
    SizeRule,
    /// The foreground without the background.
    Alone,
}

impl ArmKind {
    /// All, those that the others are compared with first.
    pub const ALL: [ArmKind; 7] = [
        Self::PageCache,
        Self::Plan,
        Self::Ramfs,
        Self::Vmtouch,
        Self::OwnGroup,
        Self::SizeRule,
        Self::Alone,
    ];

    /// As files and options write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::PageCache => "page-cache",
            Self::Plan => "plan",
            Self::Ramfs => "ramfs",
            Self::Vmtouch => "vmtouch",
            Self::OwnGroup => "own-group",
            Self::SizeRule => "size-rule",
            Self::Alone => "alone",
        }
    }

    /// What it does.
    pub fn arm(self) -> Box<dyn Arm> {
        match self {
            Self::PageCache => Box::new(page_cache::PageCache),
            Self::Plan => Box::new(plan::Plan),
            Self::Ramfs => Box::new(ramfs::Ramfs),
            Self::Vmtouch => Box::new(vmtouch::Vmtouch),
            Self::OwnGroup => Box::new(own_group::OwnGroup),
            Self::SizeRule => Box::new(size_rule::SizeRule),
            Self::Alone => Box::new(alone::Alone),
        }
    }
}

impl fmt::Display for ArmKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for ArmKind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|arm| arm.name() == text);
        found.ok_or_else(|| {
            let names = Self::ALL.map(ArmKind::name);
            format!("`{text}` is no arm: {}", names.join(", "))
        })
    }
}

/// Pages of a file.
pub(crate) fn pages(bytes: u64) -> u64 {
    bytes.div_ceil(PAGE_BYTES).max(1)
}

/// The objects of `ranking` that fit into `budget_bytes`, in its order.
fn within(
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
fn hottest_of_foreground(situation: &Situation) -> Result<Vec<u32>, LabError> {
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
