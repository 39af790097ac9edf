//! `hotset simulate scenario`: requests on the nodes of a scenario.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use hotset_actions::Logs;
use hotset_actions::plan::SiteTarget;
use hotset_actions::simulate::scenario;
use hotset_scenario::ScenarioSetting;

use crate::commands::run::interval;
use crate::option_values::seed;
use crate::output;
use crate::progress::Terminal;
use crate::reading::FormatArgs;

/// What `hotset simulate scenario` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Scenario file (TOML): nodes, links, stores, sites, clients
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,
    /// Access logs, patterns, `-` for standard input, or a trace folder [default: those that the scenario names]
    #[arg(value_name = "LOG")]
    logs: Vec<PathBuf>,
    #[command(flatten)]
    format: FormatArgs,
    /// A key of the scenario, by its way, and its value
    ///
    /// Such as node.web1.memory=1GiB, link.web1.rate=1Gbit (a link goes by its node), store.disk.profile=ssd or
    /// client.crowd.clients=64. Again for each.
    #[arg(long = "set", value_name = "PATH=VALUE")]
    settings: Vec<ScenarioSetting>,
    /// Visits to an application in place of requests: a mix (TOML)
    ///
    /// `hotset generate tpcw | rubis | rubbos` writes one for each mix. The clients of the scenario are browsers, and its [[database]] is
    /// asked. Logs are of other sites then, whose files are asked for beside it by the clock.
    #[arg(
        long,
        value_name = "FILE",
        requires = "application",
        conflicts_with_all = ["run", "targets"]
    )]
    sessions: Option<PathBuf>,
    /// What pages of the application take of its servers (TOML)
    ///
    /// `hotset experiment application-profile` writes one.
    #[arg(long, value_name = "FILE", requires = "sessions")]
    application: Option<PathBuf>,
    /// Write what the database asks of its files, for `simulate files`
    ///
    /// Pages of tables that the buffer pool lacks, and writes of the log, while pages of the first replication are counted.
    #[arg(long, value_name = "FILE", requires = "sessions")]
    files_work: Option<PathBuf>,
    /// A plan, as `hotset plan -o` writes it
    ///
    /// Its files are in memory from the start. With sessions it gives the database its buffer pool and pins its tables.
    #[arg(long, value_name = "PLAN")]
    plan: Option<PathBuf>,
    /// Hold files as `hotset run` would, chosen anew after each TIME
    ///
    /// From the first request on, on each node that reads a store. Nothing is held before.
    #[arg(long, value_name = "TIME", conflicts_with = "plan", value_parser = interval)]
    run: Option<Duration>,
    /// What a site's responses should come to, as in `shop=p99 < 20ms`
    ///
    /// The exit code is 3 if they do not. Of mean, p50, p95 or p99; may be repeated. It is in place of all targets that the scenario gives the site.
    #[arg(long = "target", value_name = "SITE=TARGET", value_parser = |text: &str| text.parse::<SiteTarget>())]
    targets: Vec<SiteTarget>,
    /// Refuse keys of the scenario that the simulation does not follow
    ///
    /// Otherwise they are listed as not modelled.
    #[arg(long)]
    strict_keys: bool,
    /// Simulate it so many times
    ///
    /// Otherwise 4 times, and on until the 95 % intervals of throughput and of the 95th percentile of the responses are
    /// within 5 %, at most 20 times. Where nothing is left to chance, once.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    replications: Option<u32>,
    /// Seed of every random choice
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> Result<scenario::Options> {
        Ok(scenario::Options {
            scenario: self.scenario.clone(),
            set: self.settings.clone(),
            targets: self.targets.clone(),
            strict_keys: self.strict_keys,
            replications: self.replications,
            logs: Logs {
                paths: self.logs.clone(),
                reading: self.format.options()?,
                has_reading: !self.format.is_default(),
            },
            sessions: self.sessions.clone(),
            application: self.application.clone(),
            files_work: self.files_work.clone(),
            plan: self.plan.clone(),
            run: self.run,
            seed: self.seed,
        })
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let options = args.options()?;
    let simulated = scenario::run(&options, &Terminal::default())?;
    output::print_view(&simulated, args.json)?;
    Ok(scenario::verdict(&options, &simulated)?)
}
