//! What files and groups are chosen from, and what is chosen.

use hotset_scenario::Target;

use crate::kinds::pollution::cost_lines::MeasuredCosts;
use crate::kinds::pollution::workload::CellWorkload;

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
