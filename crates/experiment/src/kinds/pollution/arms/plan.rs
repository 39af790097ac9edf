//! What `hotset plan` chooses for the same memory, from the same trace, at the measured costs.

use hotset_plan::{PlanError, PlanOptions, ProfileCosts, SiteTerms, plan};
use hotset_scenario::{Objective, Target};

use super::choice::{Choice, Situation};
use crate::ExperimentError;
use crate::kinds::pollution::workload::SITES;

/// What is planned for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Goal {
    /// The mean of both sites, which count alike.
    Mean,
    /// The mean by the foreground's weight.
    Weight,
    /// The foreground's target, and then the mean of both sites.
    Target,
}

/// The plan for a goal, which may part the memory into groups where `groups` says so.
pub(super) fn choose(
    situation: &Situation,
    goal: Goal,
    groups: bool,
) -> Result<Choice, ExperimentError> {
    let weight = match goal {
        Goal::Mean | Goal::Target => 1.0,
        Goal::Weight => situation.priority.weight,
    };
    let target = situation.priority.target.filter(|_| goal == Goal::Target);
    if goal == Goal::Target && target.is_none() {
        return Err(ExperimentError::Unusable(
            "a plan for a target needs one: add the cell to [shared-node.targets]".to_owned(),
        ));
    }
    planned(situation, weight, target, groups)
        .map_err(|error| ExperimentError::Unusable(format!("no plan: {error}")))
}

/// Plans as `hotset plan` does, but keeps a plan that does no better on the held-out part: an arm must not look there.
fn planned(
    situation: &Situation,
    weight: f64,
    target: Option<Target>,
    groups: bool,
) -> Result<Choice, PlanError> {
    let workload = situation.workload;
    let planned = workload.planned();
    let costs = ProfileCosts {
        memory: &situation.costs.memory,
        backing: &situation.costs.backing,
        files: planned.files,
    };
    let memory_bytes = match groups {
        false => situation.room.shared_bytes,
        true => situation.room.grouped_bytes,
    };
    let mut terms = vec![SiteTerms::default(); SITES.len()];
    terms[0].weight = weight;
    let options = PlanOptions {
        terms,
        objective: match target {
            None => Objective::Mean,
            Some(_) => Objective::Targets,
        },
        targets: target.map_or_else(Vec::new, |target| vec![vec![target], Vec::new()]),
        groups,
        ..workload.options(memory_bytes)
    };
    let plan = plan(&planned, &costs, &options)?;
    let held = plan.nodes.iter().flat_map(|node| &node.objects);
    let groups = plan.nodes.iter().flat_map(|node| &node.groups);
    Ok(Choice {
        held: held.map(|held| held.object).collect(),
        group_bytes: groups.map(|group| group.memory_bytes).collect(),
    })
}
