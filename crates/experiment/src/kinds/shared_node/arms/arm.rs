//! What an arm is: how it chooses files, and how they are held.

use hotset_scenario::Target;
use serde::{Deserialize, Serialize};

use crate::ExperimentError;
use crate::kinds::shared_node::cost_lines::MeasuredCosts;
use crate::kinds::shared_node::workload::CellWorkload;

/// What a choice is made from: nothing of the held-out part but that it exists.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Situation<'a> {
    /// The requests; only those of the training part may be looked at.
    pub workload: &'a CellWorkload,
    /// Memory for file data.
    pub room: Room,
    /// What serving costs.
    pub costs: &'a MeasuredCosts,
    /// What the foreground is owed.
    pub priority: &'a Priority,
}

/// A node's memory for file data, bytes: its limit less what servers and kernel take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    /// Where one server serves both sites.
    pub shared_bytes: u64,
    /// Where each site has a server in a memory group of its own.
    pub grouped_bytes: u64,
}

/// What the foreground is owed, for the arms that heed it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Priority {
    /// Its weight in the mean; the background's is 1.
    pub weight: f64,
    /// What its responses are to come to.
    pub target: Option<Target>,
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
    /// Each site's server has a memory group of its own where the planner parts the memory; held files are in ramfs.
    Groups,
    /// Locked in place by `hotset apply --placer pin`.
    Pin,
    /// Copied by `hotset apply --placer bind`, under a server with mounts of its own.
    Bind,
    /// Copied by `hotset apply --placer hot-root`, under a server that looks there first.
    HotRoot,
    /// As `Groups`, within the node's group: each site's held files are locked in place by a `hotset apply` of its own, which gives the
    /// foreground's group its size.
    PinInGroups,
    /// Locked in place by a `hotset run` that follows the server's access log.
    Run,
}

impl Means {
    /// Whether files are chosen at all. The choice needs to know the memory that the page cache alone has for files.
    pub fn chooses(self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Ramfs
            | Self::Locked
            | Self::OwnGroup
            | Self::Groups
            | Self::Pin
            | Self::Bind
            | Self::HotRoot
            | Self::PinInGroups
            | Self::Run => true,
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

/// What of the foreground's priority an arm heeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heeds {
    /// Nothing: both sites count alike.
    Nothing,
    /// Its weight.
    Weight,
    /// Its target.
    Target,
}

/// What an arm makes of the memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Objects it holds, the most valuable first.
    pub held: Vec<u32>,
    /// Memory for file data of each site's group, bytes; empty where both sites share one memory.
    pub group_bytes: Vec<u64>,
}

/// Nothing is held and nothing is parted.
pub(crate) static NOTHING: Choice = Choice {
    held: Vec::new(),
    group_bytes: Vec::new(),
};

impl Choice {
    /// Holds files in a memory that both sites share.
    pub fn of_files(held: Vec<u32>) -> Self {
        Self {
            held,
            ..Self::default()
        }
    }
}

/// A way of using the memory.
pub(crate) struct Arm {
    /// As files and options write it.
    pub name: &'static str,
    /// How it holds files.
    pub means: Means,
    /// Whose requests it serves.
    pub traffic: Traffic,
    /// Whether hotset's planner chooses.
    pub is_planned: bool,
    /// What of the foreground's priority it heeds.
    pub heeds: Heeds,
    /// What it makes of the memory; an error when nothing can be chosen.
    pub choose: fn(&Situation) -> Result<Choice, ExperimentError>,
}

impl Arm {
    /// Whether what it gains is the ratio of two nodes that are asked in turn.
    pub fn is_compared(&self) -> bool {
        self.means.chooses() && self.traffic == Traffic::BothSites
    }

    /// Whether the planner's model is of it.
    pub fn is_modelled(&self) -> bool {
        self.traffic == Traffic::BothSites && self.means != Means::Run
    }
}

/// Leaves all memory to the page cache.
pub(super) fn nothing(_situation: &Situation) -> Result<Choice, ExperimentError> {
    Ok(NOTHING.clone())
}
