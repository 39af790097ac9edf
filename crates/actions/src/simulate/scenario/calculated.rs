//! The same scenario and traffic, calculated instead of simulated.

use hotset_models::calculate::{self, HitRatioMethod};
use hotset_models::tiers::{Role, Tiers, Traffic};
use hotset_outcome::ProvenanceKind;
use hotset_report::{ModelView, ScenarioView, number};
use hotset_scenario::{Node, Scenario, ScenarioSetting, ServerSpec};
use hotset_topology::{Content, Nodes, Servers, Stores};

use super::findings::{self, Findings};
use super::options::Options;
use super::plan::Plan;
use super::stations::{bounds, demands};
use super::{Prepared, in_file, logs, outcome, refuse_any, requests, scenario};
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
    if options.strict_keys {
        refuse_any(&not_modelled(options, &scenario, &nodes)).map_err(in_file(options))?;
    }
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
    let mut findings = Findings::of(&nodes, result, None);
    let sizes = &input.trace.objects.size;
    (findings.advice).extend(pushed_out(&tiers, nodes.clients(), sizes));
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
            still_waiting: 0,
            saturation_per_s: findings.saturation_per_s,
            caches: findings.caches(&nodes, result),
            calls: findings::calls(&nodes, result),
            pages: Vec::new(),
            advice: findings.advice,
            bottleneck: findings.bottleneck,
            targets: Vec::new(),
            not_modelled: not_modelled(options, scenario, &nodes),
            assumed: outcome::assumed(options, &nodes, &servers),
            outcomes: vec![outcome],
        },
    })
}

/// What is said where files that clients read at the same time may push each other out of a page cache: formulas do not know of that.
fn pushed_out(tiers: &Tiers, clients: u64, sizes: &[u64]) -> Option<String> {
    let largest = *sizes.iter().max()?;
    let all = sizes.iter().copied().fold(0, u64::saturating_add);
    let read = largest.saturating_mul(clients).min(all);
    let mut caches = tiers.nodes.iter().filter_map(|node| match &node.role {
        Role::Web(web) if !web.stores.iter().all(|it| it.in_memory) => {
            Some((&node.name, web.memory_bytes))
        }
        _ => None,
    });
    let (name, bytes) = caches.find(|(_, bytes)| *bytes < read)?;
    Some(format!(
        "The page cache of {name} has {}, and the largest file {}. Where {} read such files at the same time, they push each other's out of \
         it. Formulas do not follow that and may have too many hits: simulate it.",
        number::bytes(bytes),
        number::bytes(largest),
        number::counted(clients, "client", "clients")
    ))
}

/// Keys that nothing in a calculation follows. Beside those of simulations these are events, network stacks, requests that wait for a worker or
/// are given up, and calls that are lost or late.
fn not_modelled(options: &Options, scenario: &Scenario, nodes: &Nodes<'_>) -> Vec<String> {
    let mut keys = super::not_modelled::not_modelled(options, scenario, nodes);
    keys.retain(|key| !key.starts_with("event."));
    let limited = nodes.nodes.iter();
    let limited = limited.filter(|node| node.server == ServerSpec::Apache);
    keys.extend(limited.map(|node| format!("node.{}.server", node.name)));
    let stacks = scenario.links.iter().filter(|link| link.stack.is_some());
    let stacks = stacks.map(|link| format!("link.{}.{}", link.ends, link.saying("stack")));
    let simulated = super::not_modelled::only_of_sites(scenario, nodes);
    for key in simulated.into_iter().chain(stacks) {
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    if !scenario.events.is_empty() {
        keys.push("event".to_owned());
    }
    keys.extend(of_mounts(scenario));
    keys
}

/// The same of what is lost on the way to file servers, and of clients' timers.
fn of_mounts(scenario: &Scenario) -> Vec<String> {
    let is_server = |name: &String| {
        let mut nodes = scenario.nodes.iter();
        nodes.any(|node| node.name == *name && node.server == ServerSpec::Files)
    };
    let links = scenario.links.iter().filter(|link| link.loss > 0.0);
    let links = links.filter(|link| link.ends.nodes().iter().any(is_server));
    let mut keys: Vec<String> = links.map(|it| format!("link.{}.loss", it.ends)).collect();
    for store in &scenario.stores {
        let options = store.remote.as_ref().map(|it| it.options);
        let options = options.unwrap_or_default();
        let of_store = [
            ("timeo", options.timeo.is_some()),
            ("retrans", options.retrans.is_some()),
            ("soft", options.is_soft),
        ];
        let said = of_store.into_iter().filter(|(_, is_said)| *is_said);
        keys.extend(said.map(|(key, _)| format!("store.{}.options.{key}", store.name)));
    }
    keys
}
