//! `hotset sweep`: a scenario at the points of a grid.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::plan::SiteTarget;
use hotset_actions::sweep::{self, SweepBy};
use hotset_actions::{Logs, Results, provenance};
use hotset_scenario::Variation;
use strum::VariantNames as _;

use crate::option_values::{one_of, seed};
use crate::output;
use crate::progress::Terminal;
use crate::reading::FormatArgs;

/// What `hotset sweep` takes.
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
    /// A key of the scenario, by its way, and the values that it takes
    ///
    /// A..B:xN multiplies by N, A..B:+N adds N, and both ends are among the values. A,B,C is a list. Such as
    /// node.web1.memory=256MiB..4GiB:x2, link.web1.rate=100Mbit..1Gbit:+300Mbit (a link goes by its node) or
    /// store.disk.kind=ext4,xfs. Again for each key: every combination of values is a point.
    #[arg(long, value_name = "PATH=VALUES", required = true)]
    vary: Vec<Variation>,
    /// Simulate, or model by formulas
    ///
    /// simulate is as `hotset simulate scenario` does it. model calculates as `hotset model` does, in a fraction of the time; of times it
    /// gives means alone.
    #[arg(long, value_name = "WAY", default_value = SweepBy::default().name(), hide_possible_values = true,
        value_parser = one_of::<SweepBy, _>(SweepBy::VARIANTS.iter().copied()))]
    by: SweepBy,
    /// What a site's responses should come to, as in `shop=p99 < 20ms`
    ///
    /// Of mean, p50, p95 or p99, with --by model of mean alone; may be repeated. The exit code is 3 if no point meets all targets.
    #[arg(long = "target", value_name = "SITE=TARGET", value_parser = |text: &str| text.parse::<SiteTarget>())]
    targets: Vec<SiteTarget>,
    /// With --target: the varied key of which the best point has the least
    ///
    /// Of several such points it is the one with the least mean response. [default: the first that is varied]
    #[arg(long, value_name = "PATH", requires = "targets")]
    minimise: Option<String>,
    /// Seed of every random choice, the same at all points
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Write the table as a Parquet file
    ///
    /// It has a row for each site at each point. Finished points are kept in FILE.points until it is written, so that the same command goes on where it was ended.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Also write the report as one HTML page
    ///
    /// `-` prints it in place of the report.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> Result<sweep::Options> {
        Ok(sweep::Options {
            scenario: self.scenario.clone(),
            logs: Logs {
                paths: self.logs.clone(),
                reading: self.format.options()?,
                has_reading: !self.format.is_default(),
            },
            vary: self.vary.clone(),
            by: self.by,
            targets: self.targets.clone(),
            minimise: self.minimise.clone(),
            seed: self.seed,
            results: Results {
                output: Some(self.output.clone()),
                html: self.html.clone(),
                csv: None,
                json: self.json,
            },
        })
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let options = args.options()?;
    let done = sweep::run(&options, &Terminal::default())?;
    let provenance = provenance::of_result([("Seed", options.seed.to_string())]);
    output::deliver(&done.view, &options.results, &provenance)?;
    Ok(done.verdict?)
}
