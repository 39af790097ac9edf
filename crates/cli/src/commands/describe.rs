//! `hotset describe`.

use std::path::PathBuf;

use anyhow::{Result, bail};
use hotset_describe::describe;
use hotset_report::DescriptionView;

use crate::input::InputArgs;
use crate::output;
use crate::output::Usage;
use crate::progress::Spinner;
use crate::times::PeriodArgs;
use hotset_actions::provenance;

/// What `hotset describe` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    period: PeriodArgs,
    /// Also write every table as a CSV file into this folder
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,
    /// Show client addresses as logged; without it clients of logs are numbered as they appear, and those of a trace folder
    /// have the names it was imported with
    #[arg(long)]
    keep_clients: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also write the description as one HTML page; `-` prints it in place of the report
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let files = [args.html.as_ref()];
    output::check_files(&files, args.json)?;
    output::check_sheets(args.csv.as_ref(), [].into_iter())?;
    let mut options = args.input.reading.options()?;
    let zone = args.period.zone();
    options.period = args.period.period()?;
    options.keep_clients = args.keep_clients;
    check_clients(args)?;
    let input = args.input.read_with(&options)?;
    output::refuse_inputs(&files, input.files())?;
    output::check_sheets(args.csv.as_ref(), input.files())?;
    let spinner = Spinner::new("describing");
    let description = describe(&input.trace, &input.describe_options(zone));
    drop(spinner);
    let view = DescriptionView {
        description: &description,
        reading: &input.summary,
    };
    output::write_page(&view, args.html.as_ref(), &provenance::of_result([]))?;
    output::write_sheets(&view, args.csv.as_ref())?;
    output::print_beside(&files, &view, args.json)
}

/// Addresses that a trace folder does not have cannot be shown.
fn check_clients(args: &Args) -> Result<()> {
    match args.input.trace_folder()? {
        Some(folder) if args.keep_clients => bail!(Usage(format!(
            "{} is a trace folder: its clients have the names it was imported with; leave --keep-clients out",
            folder.display()
        ))),
        _ => Ok(()),
    }
}
