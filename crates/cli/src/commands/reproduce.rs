//! `hotset reproduce`: published tables, figures and claims beside what is simulated and measured.

use std::path::{Path, PathBuf};

use anyhow::Result;
use hotset_actions::{Results, lab, provenance, reproduce};
use hotset_experiment::Tools;

use crate::progress::Terminal;
use crate::{output, program};

/// What `hotset reproduce` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Only these tables and figures, such as tr65-table4; all where none is named
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// First measure what has not been measured; needs root
    ///
    /// The experiments are those in the folder `experiments` of the working folder. They take hours. What cannot be measured is said, and what is
    /// simulated is shown all the same.
    #[arg(long)]
    measure: bool,
    /// Also write the report as one HTML page
    ///
    /// It has the figures of all studies. `-` prints it in place of the report.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> reproduce::Options {
        reproduce::Options {
            names: self.names.clone(),
            results: Results {
                html: self.html.clone(),
                json: self.json,
                ..Results::default()
            },
        }
    }

    fn tools(&self) -> Result<Option<Tools>> {
        if !self.measure {
            return Ok(None);
        }
        Ok(Some(Tools {
            directories: lab::directories(Path::new(lab::WORK)),
            program: program::program()?,
            drive_command: program::command(["lab", "disk"])?,
            reader_command: program::command(["lab", "read"])?,
        }))
    }
}

/// Runs the command. How far figures are off is no failure.
pub fn run(args: &Args) -> Result<()> {
    let options = args.options();
    let view = reproduce::run(&options, args.tools()?.as_ref(), &Terminal::default())?;
    output::deliver(&view, &options.results, &provenance::of_result([]))
}
