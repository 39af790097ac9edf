//! What `hotset simulate` takes.

use anyhow::{Result, bail};
use clap::builder::ArgPredicate;
use hotset_actions::simulate::{Simulation, Unit};
use hotset_cache::PolicyKind;
use hotset_scenario::MemorySize;

use super::fio::FioArgs;
use crate::input::InputArgs;
use crate::option_values::{ProfileName, one_of, percent, seed};
use crate::output::Usage;
use crate::times::ZoneArgs;

/// The store that misses are read from where none is named.
const BACKING: &str = "hdd";

/// The models that traffic can be run through.
#[derive(clap::Subcommand)]
pub enum Model {
    /// Run the file reads through a cache: hit ratios and mean response
    #[command(
        after_help = "Examples:\n  hotset simulate trace --memory 512M --policy sieve access.log"
    )]
    Trace(Box<Args>),
    /// Run jobs of fio on a store of known costs: throughput, latencies, hits, and what limits them
    #[command(
        after_help = "Examples:\n  hotset simulate fio scan.fio --profile ssd\n  hotset simulate fio scan.fio --profile www.toml --set memory=512M"
    )]
    Fio(FioArgs),
}

/// What `hotset simulate trace` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub zone: ZoneArgs,
    /// Eviction policy: lru, two-list (the Linux page cache), sieve, s3-fifo, arc, gdsf, belady
    #[arg(long, value_name = "NAME", default_value = "two-list", hide_possible_values = true,
        default_value_if("sampled", ArgPredicate::IsPresent, "lru"),
        value_parser = one_of::<PolicyKind, _>(PolicyKind::ALL.map(PolicyKind::name)))]
    pub policy: PolicyKind,
    /// Size of the cache, such as 64MiB, or 10% of the bytes of all files
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    pub memory: MemorySize,
    /// Unit of the cache's size: pages of 4 KiB (default for two-list) or bytes (default for every
    /// other policy)
    #[arg(long, value_name = "UNIT", value_parser = one_of::<Unit, _>(["bytes", "pages"]))]
    pub unit: Option<Unit>,
    /// Store that misses are read from: a built-in profile or a TOML file [default: hdd]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName, hide_possible_values = true)]
    pub backing: Option<String>,
    /// Estimate from this share of the files, such as 10%, drawn several times: the hit ratio of lru, or with
    /// --policy two-list hit ratios and mean response, from files drawn by importance
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub sampled: Option<f64>,
    /// Seed of the samples
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true,
        requires = "sampled")]
    pub seed: u64,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl Args {
    /// Refuses a store where no response is estimated.
    pub fn refuse_unused_backing(&self) -> Result<()> {
        let has_no_response = self.sampled.is_some() && self.policy == PolicyKind::Lru;
        match self.backing {
            Some(_) if has_no_response => bail!(Usage(
                "--backing cannot be used with --sampled for lru, of which only the hit ratio is estimated; leave it out, or choose \
                 --policy two-list"
                    .into()
            )),
            _ => Ok(()),
        }
    }

    /// The cache that they ask for.
    pub fn simulation(&self) -> Simulation {
        Simulation {
            policy: self.policy,
            memory: self.memory,
            unit: self.unit,
            backing: self.backing.clone().unwrap_or_else(|| BACKING.into()),
            sampled: self.sampled,
            seed: self.seed,
            stop: None,
        }
    }
}
