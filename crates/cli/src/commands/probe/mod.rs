//! `hotset probe`: measure what a directory's file system costs.

mod database;

use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Subcommand;
use hotset_actions::{Results, probe};

use crate::output;
use crate::progress::Terminal;

/// What `hotset probe` takes.
#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    /// What else is measured.
    #[command(subcommand)]
    other: Option<Other>,
    /// Folder on the file system to be measured
    #[arg(value_name = "FOLDER", required = true)]
    directory: Option<PathBuf>,
    /// Write the store's profile here, for `hotset plan --backing`
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
    /// Write what calls of a network mount cost here
    ///
    /// A scenario names the file as `server_profile`. Its first lines have the link that goes with it.
    #[arg(long, value_name = "FILE.toml")]
    server_profile: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What is measured besides folders.
#[derive(Subcommand)]
pub enum Other {
    /// What the tables of a running MariaDB hold in memory, and what they read
    #[command(
        after_help = "Examples:\n  hotset probe database --socket /run/mysqld/mysqld.sock --duration 10m"
    )]
    Database(database::DatabaseArgs),
}

impl Args {
    fn options(&self) -> Result<probe::Options> {
        // Without it there would be a subcommand.
        let directory = self.directory.clone().context("no folder was given")?;
        Ok(probe::Options {
            directory,
            server_profile: self.server_profile.clone(),
            results: Results {
                output: self.output.clone(),
                json: self.json,
                ..Results::default()
            },
        })
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    if let Some(Other::Database(args)) = &args.other {
        return database::run(args);
    }
    let options = args.options()?;
    let probed = probe::run(&options, &Terminal::default())?;
    output::print_beside(&options.results, &probed.view())?;
    if let Some(path) = &options.results.output
        && let Some(text) = probed.profile_file(path)?
    {
        output::write_file(path, text.as_bytes())?;
    }
    if let Some(path) = &options.server_profile
        && let Some(text) = probed.server_profile_file()?
    {
        output::write_file(path, text.as_bytes())?;
    }
    Ok(())
}
