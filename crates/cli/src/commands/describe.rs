//! `hotset describe`.

use std::path::PathBuf;

use anyhow::Result;
use hotset_describe::describe;
use hotset_report::DescriptionView;

use crate::input::InputArgs;
use crate::progress::Spinner;
use crate::{output, provenance};

/// What `hotset describe` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also write the description as one HTML page
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    output::check_files(&[args.html.as_ref()])?;
    let input = args.input.read()?;
    output::refuse_inputs(&[args.html.as_ref()], input.files())?;
    let spinner = Spinner::new("describing");
    let description = describe(&input.trace, &input.describe_options());
    drop(spinner);
    let view = DescriptionView {
        description: &description,
        reading: &input.summary,
    };
    output::write_page(&view, args.html.as_ref(), &provenance::of_result([]))?;
    output::print_view(&view, args.json)
}
