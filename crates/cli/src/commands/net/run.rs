//! `hotset net run`: replications of a net.

use std::time::Duration;

use anyhow::Result;
use hotset_actions::net::{run, trace};
use hotset_petri::Time;
use hotset_scenario::parse_duration;

use super::named::NetArgs;
use crate::progress::Terminal;
use crate::{option_values, output};

/// What `hotset net run` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    net: NetArgs,
    /// Simulated time that each replication is measured [default: 10s]
    ///
    /// It begins after the warm-up.
    #[arg(long, value_name = "DURATION", value_parser = until)]
    until: Option<Time>,
    /// Run so many replications
    ///
    /// A single one gets its intervals from batch means.
    #[arg(long, value_name = "N", conflicts_with = "precision", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    replications: Option<u32>,
    /// Run replications until the intervals are this narrow
    ///
    /// Each interval's half width is to be this share of its mean; there are at most 1000 replications.
    #[arg(long, value_name = "PERCENT", default_value = "5%", value_parser = option_values::percent)]
    precision: f64,
    /// List the first firings of a single run instead
    ///
    /// Each has its time and the tokens that it took.
    #[arg(
        long,
        value_name = "FIRINGS",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "20",
        conflicts_with_all = ["replications", "precision"],
        value_parser = clap::value_parser!(u32).range(1..=1_000_000)
    )]
    trace: Option<u32>,
    /// Seed of every random choice
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn until(text: &str) -> Result<Time, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err("nothing happens in no time; give a longer one".into()),
        length => u64::try_from(length.as_nanos())
            .map(Time::from_nanos)
            .map_err(|_| "the clock of a net ends after 584 years".into()),
    }
}

impl Args {
    fn options(&self) -> run::Options {
        run::Options {
            net: self.net.options(),
            until: self.until,
            replications: self.replications,
            precision: self.precision,
            seed: self.seed,
        }
    }

    fn tracing(&self, firings: u32) -> trace::Options {
        trace::Options {
            net: self.net.options(),
            firings: firings as usize,
            until: self.until,
            seed: self.seed,
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    if let Some(firings) = args.trace {
        let traced = trace::run(&args.tracing(firings))?;
        output::print_view(&traced.view(), args.json)?;
        return Ok(traced.check()?);
    }
    let ran = run::run(&args.options(), &Terminal::default())?;
    output::print_view(&ran.view(), args.json)?;
    for warning in ran.warnings() {
        output::warn(&warning.spelt(output::flag));
    }
    Ok(ran.check()?)
}
