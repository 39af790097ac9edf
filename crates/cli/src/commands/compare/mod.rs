//! `hotset compare`: outcomes side by side.

use std::path::PathBuf;

use anyhow::Result;
use hotset_outcome::{Bootstrap, compare};
use hotset_report::ComparisonView;

use crate::option_values::seed;
use crate::{input, output};
use hotset_actions::Chosen;
use hotset_actions::provenance;

/// What `hotset compare` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Documents with outcomes: what replay, plan, simulate, compare and experiments print with --json,
    /// and published figures. FILE:NAME takes one of its outcomes. The first outcome is the baseline
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

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let files = [args.html.as_ref()];
    output::check_files(&files, args.json)?;
    output::check_sheets(args.csv.as_ref(), [].into_iter())?;
    let chosen = Chosen::of(&args.documents).map_err(input::refusal)?;
    let read = || chosen.files.iter().map(PathBuf::as_path);
    output::refuse_inputs(&files, read())?;
    output::check_sheets(args.csv.as_ref(), read())?;
    let compared = compare(&chosen.outcomes, &Bootstrap::seeded(args.seed))?;
    let view = ComparisonView {
        side_by_side: &compared,
        outcomes: &chosen.outcomes,
    };
    let provenance = provenance::of_result([
        ("From", args.documents.join(" ")),
        ("Seed", args.seed.to_string()),
    ]);
    output::write_page(&view, args.html.as_ref(), &provenance)?;
    output::write_sheets(&view, args.csv.as_ref())?;
    output::print_beside(&files, &view, args.json)
}
