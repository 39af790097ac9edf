//! The same scenario and traffic, calculated instead of simulated.

use hotset_models::calculate::{self, Bounds, Calculated, HitRatioMethod};
use hotset_models::tiers::{Tiers, Traffic};
use hotset_outcome::ProvenanceKind;
use hotset_report::{BoundFigures, DemandFigures, ModelView, ScenarioView, ThroughputRange};
use hotset_scenario::{Node, Scenario, ScenarioSetting, ServerSpec};
use hotset_topology::{Content, Nodes, Servers, Stores};

use super::findings::Findings;
use super::options::Options;
use super::plan::Plan;
use super::{Prepared, in_file, logs, outcome, requests, scenario};
use crate::plan::check_traffic;
use crate::{Input, JobError, Part, Watch, name_of};

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
    let nodes = Nodes::of(&scenario).map_err(in_file(options))?;
    let logs = logs(options, &scenario)?;
    let input = logs.read(watch)?;
    check_traffic(&scenario, &input.trace.sites)?;
    tiers(
        options,
        &scenario,
        (&nodes, &Servers::of(&scenario)),
        &input,
    )?;
    let name = name_of(&logs.paths);
    let requests = requests::requests(&input, &name, nodes.are_open(), options.seed)?;
    watch.begin(Part::Uncounted("calculating"));
    let calculated = view(options, &scenario, (&input, &requests), method);
    watch.end();
    calculated
}

impl Prepared {
    /// Calculates what the traffic would come to on the nodes of `scenario`, which is that of the file with `set`. Hits come from the
    /// requests in their order.
    ///
    /// # Errors
    /// As of a simulation.
    pub fn calculate(
        &self,
        scenario: &Scenario,
        set: &[ScenarioSetting],
    ) -> Result<ModelView, JobError> {
        let options = Options {
            set: set.to_vec(),
            ..self.options.clone()
        };
        let traffic = (&self.input, self.traffic());
        view(&options, scenario, traffic, HitRatioMethod::Exact)
    }
}

/// The nodes of the scenario as those of the model.
fn tiers(
    options: &Options,
    scenario: &Scenario,
    (nodes, servers): (&Nodes<'_>, &Servers),
    input: &Input,
) -> Result<Tiers, JobError> {
    let stores = Stores::of(scenario, &input.trace).map_err(in_file(options))?;
    let plan = Plan::read(options.plan.as_deref(), &nodes.nodes, input)?;
    let held = |node: &Node| plan.on(node, input);
    let content = Content {
        stores: &stores,
        held: &held,
        files_bytes: input.trace.objects.size.iter().sum(),
        servers,
    };
    nodes.tiers(content).map_err(in_file(options))
}

/// What `requests` of the traffic come to.
fn view(
    options: &Options,
    scenario: &Scenario,
    (input, requests): (&Input, &Traffic),
    method: HitRatioMethod,
) -> Result<ModelView, JobError> {
    let nodes = Nodes::of(scenario).map_err(in_file(options))?;
    let servers = Servers::of(scenario);
    let tiers = tiers(options, scenario, (&nodes, &servers), input)?;
    let calculated = calculate::calculate(&tiers, requests, method)?;
    let result = &calculated.result;
    let findings = Findings::of(&nodes, result);
    let mut outcome = outcome::outcome(options, &nodes, &servers, input, result.clone());
    outcome.provenance.kind = ProvenanceKind::Calculated;
    Ok(ModelView {
        method: calculated.method.name().to_owned(),
        hit_ratio_method: calculated.hit_ratio_method.name().to_owned(),
        demands: demands(&input.trace.sites, &calculated),
        bounds: bounds(scenario, &calculated),
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
            calls: Vec::new(),
            advice: findings.advice,
            bottleneck: findings.bottleneck,
            targets: Vec::new(),
            not_modelled: not_modelled(options, scenario, &nodes),
            assumed: outcome::assumed(options, &nodes, &servers),
            outcomes: vec![outcome],
        },
    })
}

/// Keys that nothing in a calculation follows: those of simulations, what happens at a time, and requests that wait for a worker.
fn not_modelled(options: &Options, scenario: &Scenario, nodes: &Nodes<'_>) -> Vec<String> {
    let mut keys = super::not_modelled::not_modelled(options, scenario, nodes);
    keys.retain(|key| !key.starts_with("event."));
    let limited = nodes.nodes.iter();
    let limited = limited.filter(|node| node.server == ServerSpec::Apache);
    keys.extend(limited.map(|node| format!("node.{}.server", node.name)));
    let stacks = scenario.links.iter().filter(|link| link.stack.is_some());
    for stack in stacks.map(|link| format!("link.{}.stack", link.ends)) {
        if !keys.contains(&stack) {
            keys.push(stack);
        }
    }
    keys.extend(scenario.network.iter().map(|_| "network".to_owned()));
    if !scenario.events.is_empty() {
        keys.push("event".to_owned());
    }
    keys
}

fn demands(sites: &[String], calculated: &Calculated) -> Vec<DemandFigures> {
    let demands = calculated.demands.iter();
    let figures = demands.map(|it| DemandFigures {
        node: it.node.clone(),
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
