//! What an arm is: how it chooses files, and how they are held.

use serde::{Deserialize, Serialize};

use crate::ExperimentError;
use crate::shared_node::cost_lines::MeasuredCosts;
use crate::shared_node::workload::CellWorkload;

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

impl Arm {
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
pub(super) fn nothing(_situation: &Situation) -> Result<Vec<u32>, ExperimentError> {
    Ok(Vec::new())
}
