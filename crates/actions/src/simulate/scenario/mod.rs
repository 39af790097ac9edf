//! The data-centre of a scenario in simulated time.
//!
//! | deed | place |
//! | --- | --- |
//! | the scenario and its logs are read | `inputs.rs` |
//! | logs become requests with their times | `requests.rs` |
//! | visits to an application with a database | `pages/` |
//! | what a plan holds, or `hotset run` | `plan.rs` |
//! | events that change nothing | `events.rs` |
//! | keys of the scenario that nothing follows | `not_modelled.rs` |
//! | how often it is simulated | `replications.rs` |
//! | whether sites' responses are as they should be | `targets.rs` |
//! | what saturates first, whether the rest is stable, what to change | `findings.rs` |
//! | the net that is built of it | `drawing.rs` |
//! | the result as others compare it | `outcome.rs` |
//! | the same calculated instead of simulated | `calculated.rs`; what stations are asked: `stations.rs` |

mod calculated;
mod drawing;
mod events;
mod findings;
mod inputs;
mod not_modelled;
mod options;
mod outcome;
mod pages;
mod plan;
mod replications;
mod requests;
mod stations;
mod targets;

use std::sync::Arc;

use hotset_models::calculate::{self as formulas, HitRatioMethod};
use hotset_models::tiers::{Tiers, Traffic, simulate};
use hotset_report::ScenarioView;
use hotset_scenario::{Node, Scenario, ScenarioSetting, TomlFile};
use hotset_topology::{Content, Held, Nodes, Servers, Stores, TopologyError};

use crate::plan::{check_traffic, site_targets};
use crate::{Field, Input, JobError, Part, Watch, name_of};
use findings::Findings;
use inputs::{in_file, logs, scenario};
use plan::{Plan, followed};
use replications::replicate;
use requests::Replayed;

pub(crate) use calculated::calculate;
pub use drawing::net;
pub use hotset_report::ScenarioView as ScenarioResult;
pub(crate) use inputs::with;
pub(super) use not_modelled::refuse_any;
pub use options::Options;
pub(crate) use pages::calculate as calculate_pages;
pub use targets::verdict;

/// Simulates the traffic on the scenario's nodes, or visits to an application where the options have sessions.
///
/// # Errors
/// A scenario or logs that cannot be read, what is not simulated yet, and an interrupt.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<ScenarioView, JobError> {
    if options.sessions.is_some() || options.application.is_some() {
        return pages::simulate(options, watch);
    }
    let (file, scenario) = set_up(options)?;
    let prepared = Prepared::of(options, file, &scenario, watch)?;
    prepared.simulate_watched(&scenario, watch)
}

/// As [`run`], of traffic that was read already and is called `name` in messages.
///
/// # Errors
/// As there.
pub fn of_input(
    options: &Options,
    input: Input,
    name: &str,
    watch: &dyn Watch,
) -> Result<ScenarioView, JobError> {
    let (file, scenario) = set_up(options)?;
    let prepared = Prepared::of_input(options, file, &scenario, input, name)?;
    prepared.simulate_watched(&scenario, watch)
}

/// The scenario, checked as far as that goes before logs are read.
fn set_up(options: &Options) -> Result<(TomlFile, Scenario), JobError> {
    let file = TomlFile::read(&options.scenario)?;
    let scenario = with(&file, &options.set, Field::Set)?;
    let nodes = Nodes::of(&scenario).map_err(in_file(options))?;
    if options.strict_keys {
        let not_modelled = not_modelled::not_modelled(options, &scenario, &nodes);
        refuse_any(&not_modelled).map_err(in_file(options))?;
    }
    Ok((file, scenario))
}

/// A scenario and its traffic, both read once, to be simulated with other keys time and again.
pub(crate) struct Prepared {
    options: Options,
    file: TomlFile,
    input: Input,
    /// What the traffic is called in messages.
    name: String,
    are_timed: bool,
    /// Whether replications differ in their requests.
    are_random: bool,
    /// The requests of the first replication.
    first: Arc<Traffic>,
}

impl Prepared {
    /// Reads the logs for the scenario in `file`, which is `scenario`.
    ///
    /// # Errors
    /// Logs that cannot be read, and those of which nothing can be simulated.
    pub fn of(
        options: &Options,
        file: TomlFile,
        scenario: &Scenario,
        watch: &dyn Watch,
    ) -> Result<Self, JobError> {
        let logs = logs(options, scenario)?;
        let input = logs.read(watch)?;
        Self::of_input(options, file, scenario, input, &name_of(&logs.paths))
    }

    /// The same of logs that were read already and are called `name` in messages.
    ///
    /// # Errors
    /// As [`Self::of`].
    pub fn of_input(
        options: &Options,
        file: TomlFile,
        scenario: &Scenario,
        input: Input,
        name: &str,
    ) -> Result<Self, JobError> {
        check_traffic(scenario, &input.trace.sites)?;
        let are_timed = scenario.clients.is_empty();
        let requests = Replayed::new(&input, name.to_owned(), are_timed, options.seed)?;
        let (are_random, first) = (requests.are_random()?, requests.of(0)?);
        Ok(Self {
            options: options.clone(),
            file,
            name: name.to_owned(),
            are_timed,
            are_random,
            first,
            input,
        })
    }

    /// What was read.
    pub fn input(&self) -> &Input {
        &self.input
    }

    /// What the first simulation is told of it.
    pub fn traffic(&self) -> &Traffic {
        &self.first
    }

    /// The scenario with what `field` sets.
    ///
    /// # Errors
    /// What cannot be set.
    pub fn scenario(&self, set: &[ScenarioSetting], field: Field) -> Result<Scenario, JobError> {
        with(&self.file, set, field)
    }

    /// The same, where it can be simulated.
    ///
    /// # Errors
    /// What cannot be set, or cannot be simulated then.
    pub fn check(&self, set: &[ScenarioSetting], field: Field) -> Result<Scenario, JobError> {
        let scenario = self.scenario(set, field)?;
        let nodes = Nodes::of(&scenario)?;
        let plan = Plan::read(self.options.plan.as_deref(), &nodes.nodes, &self.input)?;
        self.tiers(&scenario, &nodes, &plan, &Servers::of(&scenario))?;
        Ok(scenario)
    }

    /// The nodes as those of the model.
    fn tiers(
        &self,
        scenario: &Scenario,
        nodes: &Nodes<'_>,
        plan: &Plan,
        servers: &Servers,
    ) -> Result<Tiers, TopologyError> {
        let trace = &self.input.trace;
        let followed = followed(&self.options, scenario, nodes, &self.input)?;
        let held = |node: &Node| Held {
            follow: followed.on(node),
            ..plan.on(node, &self.input)
        };
        nodes.tiers(Content {
            stores: &Stores::of(scenario, trace)?,
            held: &held,
            files_bytes: trace.objects.size.iter().sum(),
            servers,
        })
    }

    /// Simulates the traffic on the nodes of `scenario`, which is that of the file with `set`.
    ///
    /// # Errors
    /// What is not simulated yet, and an interrupt.
    pub fn simulate(
        &self,
        scenario: &Scenario,
        set: &[ScenarioSetting],
        watch: &dyn Watch,
    ) -> Result<ScenarioView, JobError> {
        let options = Options {
            set: set.to_vec(),
            ..self.options.clone()
        };
        let nodes = Nodes::of(scenario).map_err(in_file(&options))?;
        let sites = &self.input.trace.sites;
        let targets = site_targets(&options.targets, scenario, sites)?;
        let plan = Plan::read(options.plan.as_deref(), &nodes.nodes, &self.input)?;
        let servers = Servers::of(scenario);
        let tiers = self
            .tiers(scenario, &nodes, &plan, &servers)
            .map_err(in_file(&options))?;
        let (name, first) = (self.name.clone(), Arc::clone(&self.first));
        let requests = Replayed::with(&self.input, name, self.are_timed, options.seed, first);
        let is_random = tiers.is_random() || self.are_random;
        let replicated = replicate(options.replications, is_random, |number| {
            let seed = options.seed.wrapping_add(number);
            let requests = requests.of(number)?;
            Ok(simulate(&tiers, &requests, seed, &|| !watch.stops())?)
        })?;
        let simulated = replicated.result;
        let by_formulas = || {
            let calculated =
                formulas::calculate(&tiers, &self.first, HitRatioMethod::Exact).ok()?;
            Some(Findings::of(&nodes, &calculated.result, None))
        };
        let findings = Findings::of(&nodes, &simulated, Some(&by_formulas));
        Ok(ScenarioView {
            scenario: options.scenario.display().to_string(),
            seed: options.seed,
            seconds: simulated.seconds,
            warm_up_seconds: simulated.warm_up_seconds,
            replications: replicated.count,
            is_random,
            throughput_interval: replicated.throughput,
            p95_interval: replicated.p95,
            stable: findings.is_stable,
            still_waiting: simulated.stuck as u64,
            saturation_per_s: findings.saturation_per_s,
            caches: findings.caches(&nodes, &simulated),
            calls: findings::calls(&nodes, &simulated),
            pages: Vec::new(),
            advice: findings.advice,
            bottleneck: findings.bottleneck,
            targets: targets::results(&targets, sites, &simulated.sites),
            not_modelled: not_modelled::not_modelled(&options, scenario, &nodes),
            assumed: outcome::assumed(&options, &nodes, &servers),
            outcomes: vec![outcome::outcome(
                &options,
                &nodes,
                &servers,
                &self.input,
                simulated,
            )],
        })
    }

    /// The same with what the options set, and with what is to be known of it.
    fn simulate_watched(
        &self,
        scenario: &Scenario,
        watch: &dyn Watch,
    ) -> Result<ScenarioView, JobError> {
        watch.begin(Part::Uncounted("simulating"));
        let simulated = self.simulate(scenario, &self.options.set, watch);
        watch.end();
        let simulated = simulated?;
        let seconds = simulated.seconds / f64::from(simulated.replications);
        if let Some(warning) = events::too_late(scenario, seconds) {
            watch.warn(warning);
        }
        Ok(simulated)
    }
}
