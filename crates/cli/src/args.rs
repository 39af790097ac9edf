//! The command line: one subcommand a job. What each takes is declared beside what it does, in
//! [`crate::commands`].

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::commands;

/// Which files of your web sites to hold in memory, and what that buys, from access logs.
#[derive(Parser)]
#[command(
    name = "hotset",
    version,
    max_term_width = 100,
    disable_help_subcommand = true
)]
pub struct Cli {
    /// The job to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The jobs.
#[derive(Subcommand)]
pub enum Command {
    /// Describe access logs: rates, popularity, sizes, and how much memory the hottest files need
    Describe(commands::describe::Args),
    /// Choose the files to hold in memory, and score the choice on traffic it has not seen
    Plan(commands::plan::Args),
    /// Simulate traffic on a model
    #[command(subcommand)]
    Simulate(commands::simulate::Model),
    /// Compare outcomes side by side: measured, simulated or published
    Compare(commands::compare::Args),
    /// Send the requests of a trace to a server at their logged times, and measure what clients see
    Replay(commands::replay::Args),
    /// Convert access logs into a trace folder
    Import(commands::import::Args),
    /// Generate a workload: a trace folder and, on request, the files and an access log
    Generate(commands::generate::Args),
    /// Measure on nodes, disks and networks made for it on this machine, and compare with predictions
    #[command(subcommand)]
    Experiment(commands::experiment::Job),
    /// Stand the data-centre of a scenario up on this machine, to be tried
    #[command(subcommand)]
    Lab(commands::lab::Job),
    /// Generate two sites, plan for them and open the report; no arguments needed
    Demo(commands::demo::Args),
    /// Print a shell completion script
    Completions {
        /// The shell to complete for
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write the pages of all commands
    Man {
        /// Write hotset.1, hotset-plan.1 and the others into this folder
        #[arg(long, value_name = "FOLDER")]
        dir: Option<PathBuf>,
    },
}
