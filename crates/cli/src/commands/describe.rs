//! `hotset describe`.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::{Results, describe, provenance};

use crate::input::InputArgs;
use crate::output;
use crate::progress::Terminal;
use crate::times::PeriodArgs;

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
    /// Show client addresses as logged
    ///
    /// Without it, clients of logs are numbered as they appear, and those of a trace folder have the names that it
    /// was imported with.
    #[arg(long)]
    keep_clients: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Also write the description as one HTML page
    ///
    /// `-` prints it in place of the report.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Args {
    fn options(&self) -> Result<describe::Options> {
        let mut logs = self.input.logs_in(&self.period)?;
        logs.reading.keep_clients = self.keep_clients;
        Ok(describe::Options {
            logs,
            time_zone: self.period.zone().clone(),
            results: Results {
                output: None,
                html: self.html.clone(),
                csv: self.csv.clone(),
                json: self.json,
            },
        })
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let options = args.options()?;
    let described = describe::run(&options, &Terminal::default())?;
    output::deliver(
        &described.view(),
        &options.results,
        &provenance::of_result([]),
    )
}
