//! `hotset model`: what a simulation would come to, by formulas.

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Subcommand;
use hotset_actions::Logs;
use hotset_actions::model::{self, HitRatioMethod};
use hotset_scenario::ScenarioSetting;

use crate::option_values::{one_of, size};
use crate::output;
use crate::progress::Terminal;
use crate::reading::FormatArgs;

/// What `hotset model` takes.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    /// What else is calculated.
    #[command(subcommand)]
    other: Option<Other>,
    /// Scenario file (TOML): nodes, links, stores, sites, clients
    #[arg(value_name = "SCENARIO", required = true)]
    scenario: Option<PathBuf>,
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
    /// As for `hotset simulate scenario`.
    #[arg(
        long,
        value_name = "FILE",
        requires = "application",
        conflicts_with = "hit_ratio_method"
    )]
    sessions: Option<PathBuf>,
    /// What pages of the application take of its servers (TOML)
    #[arg(long, value_name = "FILE", requires = "sessions")]
    application: Option<PathBuf>,
    /// Source of hits
    ///
    /// exact runs the requests through the planner's page cache. che is Che's approximation of a cache that evicts the least recently
    /// used, from how often each file is asked for.
    #[arg(long, value_name = "METHOD", default_value = HitRatioMethod::default().name(), value_parser = one_of::<HitRatioMethod, _>(HitRatioMethod::ALL.iter().map(|it| it.name())))]
    hit_ratio_method: HitRatioMethod,
    /// Refuse keys of the scenario that the calculation does not follow
    ///
    /// Otherwise they are listed as not modelled.
    #[arg(long)]
    strict_keys: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is calculated besides scenarios.
#[derive(Subcommand)]
pub enum Other {
    /// Connections that SPECweb99 would rate a server with, by its memory and its disk
    #[command(
        after_help = "Examples:\n  hotset model specweb99\n  hotset model specweb99 --memory 8GiB --disk-rate 60MB"
    )]
    Specweb99(SpecWeb99Args),
}

/// What `hotset model specweb99` takes.
#[derive(clap::Args)]
pub struct SpecWeb99Args {
    /// Memory for files
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = size)]
    memory: u64,
    /// Bytes that the disk delivers in a second
    ///
    /// Of files of the largest class. Without it, the disks of the document.
    #[arg(long, value_name = "SIZE", value_parser = size)]
    disk_rate: Option<u64>,
    /// Bytes that it delivers in a second of one very large file
    ///
    /// The difference is what it takes to find a file, which the best split regards. Without it, bytes alone count.
    #[arg(long, value_name = "SIZE", value_parser = size, requires = "disk_rate")]
    sequential_rate: Option<u64>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> Result<model::Options> {
        // Without it there would be a subcommand.
        let scenario = self.scenario.clone().context("no scenario was given")?;
        Ok(model::Options {
            scenario,
            set: self.settings.clone(),
            logs: Logs {
                paths: self.logs.clone(),
                reading: self.format.options()?,
                has_reading: !self.format.is_default(),
            },
            sessions: self.sessions.clone(),
            application: self.application.clone(),
            hit_ratio_method: self.hit_ratio_method,
            strict_keys: self.strict_keys,
        })
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    match &args.other {
        Some(Other::Specweb99(args)) => {
            let options = model::specweb99::Options {
                memory_bytes: args.memory,
                bytes_per_s: args.disk_rate,
                sequential_bytes_per_s: args.sequential_rate,
            };
            output::print_view(&model::specweb99::run(&options)?, args.json)
        }
        None => {
            let calculated = model::run(&args.options()?, &Terminal::default())?;
            output::print_view(&calculated, args.json)
        }
    }
}
