//! The same scenario and traffic, calculated instead of simulated.

use hotset_models::calculate::{self, Bounds, Calculated, HitRatioMethod};
use hotset_outcome::ProvenanceKind;
use hotset_report::{BoundFigures, DemandFigures, ModelView, ScenarioView, ThroughputRange};
use hotset_scenario::{Scenario, ServerSpec};

use super::findings::Findings;
use super::nodes::{Content, Nodes};
use super::options::Options;
use super::plan::Plan;
use super::stores::Stores;
use super::{logs, outcome, requests, scenario};
use crate::plan::check_traffic;
use crate::{JobError, Part, Watch, name_of};

/// Calculates what the traffic would come to on the scenario's nodes, with hit ratios by `method`.
///
/// # Errors
/// As of a simulation.
pub(crate) fn calculate(
    options: &Options,
    method: HitRatioMethod,
    watch: &dyn Watch,
) -> Result<ModelView, JobError> {
    let scenario = scenario(options)?;
    let in_file = |error: JobError| JobError::at(options.scenario.display(), error);
    let nodes = Nodes::of(&scenario).map_err(in_file)?;
    let logs = logs(options, &scenario)?;
    let input = logs.read(watch)?;
    let sites = &input.trace.sites;
    check_traffic(&scenario, sites)?;
    let stores = Stores::of(&scenario, &input).map_err(in_file)?;
    let plan = Plan::read(options.plan.as_deref(), &nodes.nodes, &input)?;
    let content = Content {
        plan: &plan,
        stores: &stores,
        input: &input,
        files_bytes: input.trace.objects.size.iter().sum(),
    };
    let tiers = nodes.tiers(content).map_err(in_file)?;
    let name = name_of(&logs.paths);
    let requests = requests::requests(&input, &name, nodes.are_open(), options.seed)?;
    watch.begin(Part::Uncounted("calculating"));
    let calculated = calculate::calculate(&tiers, &requests, method);
    watch.end();
    let calculated = calculated?;
    let result = &calculated.result;
    let findings = Findings::of(&nodes, result);
    let mut outcome = outcome::outcome(options, &nodes, &input, result.clone());
    outcome.provenance.kind = ProvenanceKind::Calculated;
    Ok(ModelView {
        method: calculated.method.name().to_owned(),
        hit_ratio_method: calculated.hit_ratio_method.name().to_owned(),
        demands: demands(&nodes, sites, &calculated),
        bounds: bounds(&scenario, &calculated),
        scenario: ScenarioView {
            scenario: options.scenario.display().to_string(),
            seed: options.seed,
            seconds: result.seconds,
            warm_up_seconds: result.warm_up_seconds,
            replications: 0,
            is_random: false,
            throughput_interval: None,
            p95_interval: None,
            stable: findings.is_stable,
            saturation_per_s: findings.saturation_per_s,
            caches: findings.caches(&nodes, result),
            advice: findings.advice,
            bottleneck: findings.bottleneck,
            targets: Vec::new(),
            not_modelled: not_modelled(&scenario, &nodes),
            assumed: outcome::assumed(&nodes),
            outcomes: vec![outcome],
        },
    })
}

/// Keys that nothing in a calculation follows: those of simulations, what happens at a time, and requests that wait for a worker.
fn not_modelled(scenario: &Scenario, nodes: &Nodes<'_>) -> Vec<String> {
    let mut keys = super::not_modelled::not_modelled(scenario, nodes);
    keys.retain(|key| !key.starts_with("event."));
    let limited = nodes.nodes.iter();
    let limited = limited.filter(|node| node.server == ServerSpec::Apache);
    keys.extend(limited.map(|node| format!("node.{}.server", node.name)));
    let on_nodes = scenario.clients.iter().filter(|it| it.node.is_some());
    keys.extend(on_nodes.map(|it| format!("client.{}.node", it.name)));
    let direct = nodes.numbers().direct_links();
    keys.extend(direct.map(|(link, _)| format!("link.{}", link.ends)));
    if !scenario.events.is_empty() {
        keys.push("event".to_owned());
    }
    keys
}

fn demands(nodes: &Nodes<'_>, sites: &[String], calculated: &Calculated) -> Vec<DemandFigures> {
    let demands = calculated.demands.iter();
    let figures = demands.map(|it| DemandFigures {
        node: nodes.nodes[it.node].name.clone(),
        resource: it.resource.clone(),
        site: sites[it.site].clone(),
        visits: it.visits,
        demand_us: it.seconds * 1e6,
    });
    figures.collect()
}

fn bounds(scenario: &Scenario, calculated: &Calculated) -> Vec<BoundFigures> {
    let range = |it: Bounds| ThroughputRange {
        low_per_s: it.low_per_s,
        high_per_s: it.high_per_s,
    };
    let classes = scenario.clients.iter().zip(&calculated.bounds);
    let figures = classes.map(|(client, it)| BoundFigures {
        client: client.name.clone(),
        asymptotic: range(it.asymptotic),
        balanced: it.balanced.map(range),
    });
    figures.collect()
}
