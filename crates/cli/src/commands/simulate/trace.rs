//! `hotset simulate trace`: a trace through a cache.

use anyhow::Result;
use hotset_actions::simulate::Unit;
use hotset_actions::simulate::trace;
use hotset_cache::PolicyKind;
use hotset_scenario::MemorySize;

use crate::input::InputArgs;
use crate::option_values::{ProfileName, one_of, percent, seed};
use crate::output;
use crate::progress::Terminal;
use crate::times::ZoneArgs;

/// What `hotset simulate trace` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    zone: ZoneArgs,
    /// Eviction policy [default: two-list]
    ///
    /// lru, two-list (the Linux page cache), sieve, s3-fifo, arc, gdsf, belady.
    #[arg(long, value_name = "NAME", hide_possible_values = true,
        value_parser = one_of::<PolicyKind, _>(PolicyKind::ALL.map(PolicyKind::name)))]
    policy: Option<PolicyKind>,
    /// Size of the cache, such as 64MiB, or 10% of the bytes of all files
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    memory: MemorySize,
    /// Unit of the cache's size: pages or bytes
    ///
    /// Pages have 4 KiB. [default: pages for two-list, bytes for every other policy]
    #[arg(long, value_name = "UNIT", hide_possible_values = true, value_parser = one_of::<Unit, _>(["bytes", "pages"]))]
    unit: Option<Unit>,
    /// Store that misses are read from [default: hdd]
    ///
    /// A built-in profile or a TOML file.
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName, hide_possible_values = true)]
    backing: Option<String>,
    /// Estimate from this share of the files, such as 10%
    ///
    /// The share is drawn several times. Estimated is the hit ratio of lru, or with --policy two-list hit ratios and
    /// mean response, from files drawn by importance.
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    sampled: Option<f64>,
    /// Seed of the samples
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true,
        requires = "sampled")]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> Result<trace::Options> {
        Ok(trace::Options {
            logs: self.input.logs()?,
            time_zone: self.zone.time_zone.clone(),
            policy: self.policy,
            memory: self.memory,
            unit: self.unit,
            backing: self.backing.clone(),
            sampled: self.sampled,
            seed: self.seed,
            is_compared: self.json,
        })
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let simulated = trace::run(&args.options()?, &Terminal::default())?;
    output::print_view(&simulated, args.json)
}
