//! `hotset probe`: measure what a directory's file system costs.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::{Results, probe};

use crate::output;
use crate::progress::Terminal;

/// What `hotset probe` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Folder on the file system to be measured
    #[arg(value_name = "FOLDER")]
    directory: PathBuf,
    /// Write the store's profile here, as `hotset plan --backing` reads it
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> probe::Options {
        probe::Options {
            directory: self.directory.clone(),
            results: Results {
                output: self.output.clone(),
                json: self.json,
                ..Results::default()
            },
        }
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let options = args.options();
    let probed = probe::run(&options, &Terminal::default())?;
    output::print_beside(&options.results, &probed.view())?;
    let Some(path) = &options.results.output else {
        return Ok(());
    };
    match probed.profile_file(path)? {
        Some(text) => output::write_file(path, text.as_bytes()),
        None => Ok(()),
    }
}
