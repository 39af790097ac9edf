//! The data-centre of a scenario in simulated time.
//!
//! | deed | place |
//! | --- | --- |
//! | logs become requests with their times | `requests.rs` |
//! | nodes and clients become those of the model | `nodes.rs` |
//! | what a plan holds | `plan.rs` |
//! | the stores of the sites become profiles with their disks | `stores.rs` |
//! | what happens at a time | `events.rs` |
//! | keys of the scenario that nothing follows | `not_modelled.rs` |
//! | how often it is simulated | `replications.rs` |
//! | whether sites' responses are as they should be | `targets.rs` |
//! | what saturates first, whether the rest is stable, what to change | `findings.rs` |
//! | the net that is built of it | `drawing.rs` |
//! | the result as others compare it | `outcome.rs` |
//! | the same calculated instead of simulated | `calculated.rs` |

mod calculated;
mod drawing;
mod events;
mod findings;
mod nodes;
mod not_modelled;
mod options;
mod outcome;
mod plan;
mod replications;
mod requests;
mod stores;
mod targets;

use hotset_models::tiers::simulate;
use hotset_report::ScenarioView;
use hotset_scenario::{Scenario, ScenarioSettingError};

use crate::error::{refuse, refused};
use crate::plan::{check_traffic, site_targets};
use crate::scenario_sites::{add_sites, check_roots};
use crate::{Field, JobError, Logs, Part, Watch, name_of};
use findings::Findings;
use nodes::{Content, Nodes};
use plan::Plan;
use replications::replicate;
use requests::Replayed;
use stores::Stores;

pub(crate) use calculated::calculate;
pub use drawing::net;
pub use hotset_report::ScenarioView as ScenarioResult;
pub use options::Options;
pub use targets::verdict;

/// Simulates the traffic on the scenario's nodes.
///
/// # Errors
/// A scenario or logs that cannot be read, what is not simulated yet, and an interrupt.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<ScenarioView, JobError> {
    let scenario = scenario(options)?;
    let in_file = |error: JobError| JobError::at(options.scenario.display(), error);
    let nodes = Nodes::of(&scenario).map_err(in_file)?;
    let not_modelled = not_modelled::not_modelled(&scenario, &nodes);
    if options.strict_keys {
        not_modelled::refuse_any(&not_modelled).map_err(in_file)?;
    }
    let logs = logs(options, &scenario)?;
    let input = logs.read(watch)?;
    let sites = &input.trace.sites;
    check_traffic(&scenario, sites)?;
    let targets = site_targets(&options.targets, &scenario, sites)?;
    let stores = Stores::of(&scenario, &input).map_err(in_file)?;
    let plan = Plan::read(options.plan.as_deref(), &nodes, &input)?;
    let content = Content {
        plan: &plan,
        stores: &stores,
        input: &input,
        files_bytes: input.trace.objects.size.iter().sum(),
    };
    let tiers = nodes.tiers(content).map_err(in_file)?;
    let name = name_of(&logs.paths);
    let requests = Replayed::new(&input, name, nodes.are_open(), options.seed)?;
    let is_random = tiers.is_random() || requests.are_random()?;
    watch.begin(Part::Uncounted("simulating"));
    let replicated = replicate(options.replications, is_random, |number| {
        let seed = options.seed.wrapping_add(number);
        let requests = requests.of(number)?;
        Ok(simulate(&tiers, &requests, seed, &|| !watch.stops())?)
    });
    watch.end();
    let replicated = replicated?;
    let simulated = replicated.result;
    let seconds = simulated.seconds / f64::from(replicated.count);
    if let Some(warning) = events::too_late(&scenario, seconds) {
        watch.warn(warning);
    }
    let findings = Findings::of(&nodes, &simulated);
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
        saturation_per_s: findings.saturation_per_s,
        caches: findings.caches(&nodes, &simulated),
        advice: findings.advice,
        bottleneck: findings.bottleneck,
        targets: targets::results(&targets, sites, &simulated.sites),
        not_modelled,
        assumed: outcome::assumed(&nodes),
        outcomes: vec![outcome::outcome(options, &nodes, &input, simulated)],
    })
}

/// The scenario with what is set.
fn scenario(options: &Options) -> Result<Scenario, JobError> {
    let loaded = Scenario::load_with(&options.scenario, &options.set);
    loaded.map_err(|error| match error {
        ScenarioSettingError::File(error) => error.into(),
        error => refused(format!("{} {error}", Field::Set)),
    })
}

/// The logs that are given, else those that the scenario names, with its sites.
fn logs(options: &Options, scenario: &Scenario) -> Result<Logs, JobError> {
    let mut logs = options.logs.clone();
    if logs.paths.is_empty() {
        if scenario.logs.is_empty() {
            refuse!(
                "{}: there are no access logs to simulate; name them behind the file, or with `log` at its top",
                options.scenario.display()
            );
        }
        logs.paths.clone_from(&scenario.logs);
    }
    // A trace folder has its files' sizes.
    if logs.folder()?.is_none() {
        check_roots(scenario, &options.scenario)?;
    }
    add_sites(scenario, &mut logs.reading)?;
    Ok(logs)
}
