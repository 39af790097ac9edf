//! What `hotset plan` chooses for the same memory, from the same trace, at the measured costs.

use hotset_plan::{PlanError, ProfileCosts, plan};

use super::arm::{Arm, Means, Situation, Traffic};
use crate::ExperimentError;
use crate::shared_node::workload;

/// Holds the plan's files, of both sites.
pub(crate) static PLAN: Arm = Arm {
    name: "plan",
    means: Means::Ramfs,
    traffic: Traffic::BothSites,
    held,
};

/// The plan's files.
pub(super) fn held(situation: &Situation) -> Result<Vec<u32>, ExperimentError> {
    choose(situation).map_err(|error| ExperimentError::Unusable(format!("no plan: {error}")))
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
