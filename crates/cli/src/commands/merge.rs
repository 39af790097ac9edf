//! `hotset merge`: parts as one description, or as one part.

use std::path::{Path, PathBuf};

use anyhow::Result;
use hotset_describe::Part;
use hotset_report::DescriptionView;

use super::part::cause;
use crate::output;
use crate::progress::Spinner;
use crate::times::ZoneArgs;
use hotset_actions::provenance;

/// What `hotset merge` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Files that `hotset part` or `hotset merge -o` wrote, in any order
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// Write all of them as one part, in place of the report
    #[arg(short, long, value_name = "PART", conflicts_with_all = ["csv", "json", "html", "time_zone"])]
    output: Option<PathBuf>,
    #[command(flatten)]
    zone: ZoneArgs,
    /// Also write every table as a CSV file into this folder
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also write the description as one HTML page; `-` prints it in place of the report
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let files = [args.html.as_ref(), args.output.as_ref()];
    let inputs = || args.parts.iter().map(PathBuf::as_path);
    output::check_files(&files, args.json)?;
    output::check_sheets(args.csv.as_ref(), inputs())?;
    output::refuse_inputs(&files, inputs())?;
    let spinner = Spinner::new("merging");
    let part = merged(&args.parts)?;
    drop(spinner);
    match &args.output {
        Some(file) => output::write_file(file, &part.to_bytes()?),
        None => describe(args, &part),
    }
}

fn merged(files: &[PathBuf]) -> Result<Part> {
    let open = |file: &PathBuf| Ok((file.display().to_string(), Part::open(file)?));
    let parts: Result<Vec<_>> = files.iter().map(open).collect();
    Part::merge(parts?).map_err(cause)
}

fn describe(args: &Args, part: &Part) -> Result<()> {
    let first = args.parts.first().map_or(Path::new(""), PathBuf::as_path);
    let (description, reading) = part
        .describe(&first.display().to_string(), &args.zone.time_zone)
        .map_err(cause)?;
    let view = DescriptionView {
        description: &description,
        reading: &reading,
    };
    output::write_page(&view, args.html.as_ref(), &provenance::of_result([]))?;
    output::write_sheets(&view, args.csv.as_ref())?;
    output::print_beside(&[args.html.as_ref()], &view, args.json)
}
