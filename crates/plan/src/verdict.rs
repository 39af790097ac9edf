//! What to do about a plan.

use hotset_scenario::PlacementChanges;
use serde::Serialize;

use crate::backtest::{Lever, Plan};

/// What to do about a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Hold the plan's files, and give sites the plan's groups.
    Hold,
    /// The plan's files are held, and no others: do nothing.
    Unchanged,
    /// No file is worth holding: leave the memory to the page cache.
    Leave,
}

impl Plan {
    /// What to do about the plan, where `changes` lie between the plan in force and this one, if one is in force.
    pub fn verdict(&self, changes: Option<&PlacementChanges>) -> Verdict {
        if changes.is_some_and(PlacementChanges::is_empty) {
            Verdict::Unchanged
        } else if self.held.objects == 0 && self.lever == Lever::Files {
            Verdict::Leave
        } else {
            Verdict::Hold
        }
    }
}
