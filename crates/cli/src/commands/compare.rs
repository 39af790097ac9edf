//! `hotset compare`: outcomes side by side.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::{Results, compare, provenance};

use crate::option_values::seed;
use crate::output;

/// What `hotset compare` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Documents with outcomes, the baseline first; FILE:NAME is one outcome
    ///
    /// Outcomes are what replay, plan, simulate, compare and experiments print with --json, and published figures.
    /// FILE:NAME takes one of a document's outcomes. The first outcome is the baseline.
    #[arg(required = true, value_name = "FILE[:NAME]")]
    documents: Vec<String>,
    /// Seed of the confidence intervals
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Also write the report as one HTML page; `-` prints it in place of the report
    // Once `-o FILE`; scripts still have it.
    #[arg(long, value_name = "FILE", alias = "output", short_alias = 'o')]
    html: Option<PathBuf>,
    /// Also write every table as a CSV file into this folder
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> compare::Options {
        compare::Options {
            documents: self.documents.clone(),
            seed: self.seed,
            results: Results {
                output: None,
                html: self.html.clone(),
                csv: self.csv.clone(),
                json: self.json,
            },
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let options = args.options();
    let compared = compare::run(&options)?;
    let provenance = provenance::of_result([
        ("From", options.documents.join(" ")),
        ("Seed", options.seed.to_string()),
    ]);
    output::deliver(&compared.view(), &options.results, &provenance)
}
