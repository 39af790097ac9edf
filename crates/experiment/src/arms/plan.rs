//! What `hotset plan` chooses for the same memory, from the same trace, at the measured costs.

use hotset_plan::{PlanError, ProfileCosts, plan};

use super::{Arm, Means, Situation};
use crate::workload;
use hotset_lab::LabError;

/// Holds the plan's files, of both sites.
pub struct Plan;

impl Arm for Plan {
    fn means(&self) -> Means {
        Means::Ramfs
    }

    fn held(&self, situation: &Situation) -> Result<Vec<u32>, LabError> {
        choose(situation).map_err(|error| LabError::Unusable(format!("no plan: {error}")))
    }
}

fn choose(situation: &Situation) -> Result<Vec<u32>, PlanError> {
    let planned = situation.workload.planned();
    let costs = ProfileCosts {
        memory: &situation.costs.memory,
        backing: &situation.costs.backing,
        files: planned.files,
    };
    let options = workload::options(situation.memory_bytes, 0);
    let plan = plan(&planned, &costs, &options)?;
    let held = plan.nodes.iter().flat_map(|node| &node.objects);
    Ok(held.map(|held| held.object).collect())
}
