//! `hotset describe`.

use std::path::PathBuf;

use anyhow::Result;
use hotset_describe::describe;
use hotset_report::{page, terminal};

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
    if let Some(path) = &args.html {
        let settings = [
            ("Made by".into(), provenance::tool()),
            ("On".into(), provenance::now()),
        ];
        let html = page::describe(&description, &(&input.summary).into(), &settings);
        output::write_file(path, html.as_bytes())?;
    }
    if args.json {
        return output::print_json(&serde_json::to_value(&description)?);
    }
    output::print(&terminal::describe(
        &description,
        &(&input.summary).into(),
        output::style(),
    ))
}
