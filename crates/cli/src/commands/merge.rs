//! `hotset merge`: parts as one description, or as one part.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::merge::{self, MergeResult};
use hotset_actions::{Results, provenance};

use crate::output;
use crate::progress::Terminal;
use crate::times::ZoneArgs;

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
    /// Also write the description as one HTML page
    ///
    /// `-` prints it in place of the report.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl Args {
    fn options(&self) -> merge::Options {
        merge::Options {
            parts: self.parts.clone(),
            time_zone: self.zone.time_zone.clone(),
            results: Results {
                output: self.output.clone(),
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
    match (
        merge::run(&options, &Terminal::default())?,
        &options.results.output,
    ) {
        (MergeResult::Part(part), Some(file)) => output::write_file(file, &part.to_bytes()?),
        (MergeResult::Part(_), None) => Ok(()),
        (MergeResult::Description(described), _) => {
            let provenance = provenance::of_result([]);
            output::deliver(&described.view(), &options.results, &provenance)
        }
    }
}
