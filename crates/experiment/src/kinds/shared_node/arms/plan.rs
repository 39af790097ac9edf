//! What `hotset plan` chooses for the same memory, from the same trace, at the measured costs.

use hotset_plan::{PlanError, PlanOptions, ProfileCosts, SiteTerms, plan};
use hotset_scenario::{Objective, Target};

use super::arm::{Arm, Choice, Heeds, Means, Situation, Traffic};
use crate::ExperimentError;
use crate::kinds::shared_node::workload::SITES;

/// Holds the plan's files, of both sites.
pub(crate) static PLAN: Arm = Arm {
    name: "plan",
    means: Means::Ramfs,
    traffic: Traffic::BothSites,
    is_planned: true,
    heeds: Heeds::Nothing,
    choose: without_priority,
};

/// What a plan is asked for.
pub(super) struct Wish {
    /// Weight of the foreground; the background's is 1.
    pub weight: f64,
    /// What the foreground's responses are to come to before the mean counts.
    pub target: Option<Target>,
    /// Whether the plan may part the memory into groups.
    pub groups: bool,
}

/// The plan for the mean of both sites, in one memory.
pub(super) fn without_priority(situation: &Situation) -> Result<Choice, ExperimentError> {
    by_mean(situation, false)
}

/// The plan for the mean of both sites.
pub(super) fn by_mean(situation: &Situation, groups: bool) -> Result<Choice, ExperimentError> {
    let wish = Wish {
        weight: 1.0,
        target: None,
        groups,
    };
    planned(situation, &wish)
}

/// The plan for the foreground's weight.
pub(super) fn by_weight(situation: &Situation, groups: bool) -> Result<Choice, ExperimentError> {
    let wish = Wish {
        weight: situation.priority.weight,
        target: None,
        groups,
    };
    planned(situation, &wish)
}

/// The plan for the foreground's target.
pub(super) fn by_target(situation: &Situation, groups: bool) -> Result<Choice, ExperimentError> {
    let Some(target) = situation.priority.target else {
        return Err(ExperimentError::Unusable(
            "a plan for a target needs one: add the cell to [shared-node.targets]".to_owned(),
        ));
    };
    let wish = Wish {
        weight: 1.0,
        target: Some(target),
        groups,
    };
    planned(situation, &wish)
}

fn planned(situation: &Situation, wish: &Wish) -> Result<Choice, ExperimentError> {
    choose(situation, wish).map_err(|error| ExperimentError::Unusable(format!("no plan: {error}")))
}

/// Plans as `hotset plan` does, but keeps a plan that does no better on the held-out part: an arm must not look there.
fn choose(situation: &Situation, wish: &Wish) -> Result<Choice, PlanError> {
    let workload = situation.workload;
    let planned = workload.planned();
    let costs = ProfileCosts {
        memory: &situation.costs.memory,
        backing: &situation.costs.backing,
        files: planned.files,
    };
    let memory_bytes = match wish.groups {
        false => situation.room.shared_bytes,
        true => situation.room.grouped_bytes,
    };
    let options = wish.apply_to(workload.options(memory_bytes));
    let plan = plan(&planned, &costs, &options)?;
    let held = plan.nodes.iter().flat_map(|node| &node.objects);
    let groups = plan.nodes.iter().flat_map(|node| &node.groups);
    Ok(Choice {
        held: held.map(|held| held.object).collect(),
        group_bytes: groups.map(|group| group.memory_bytes).collect(),
    })
}

impl Wish {
    fn apply_to(&self, options: PlanOptions) -> PlanOptions {
        let of_sites = |of_foreground: SiteTerms| {
            let mut terms = vec![SiteTerms::default(); SITES.len()];
            terms[0] = of_foreground;
            terms
        };
        let terms = of_sites(SiteTerms {
            weight: self.weight,
            ..SiteTerms::default()
        });
        let targets = self.target.map(|target| vec![vec![target], Vec::new()]);
        PlanOptions {
            terms,
            objective: match targets {
                None => Objective::Mean,
                Some(_) => Objective::Targets,
            },
            targets: targets.unwrap_or_default(),
            groups: self.groups,
            ..options
        }
    }
}
