//! The `hotset` command: which files of your web sites to hold in memory, and what that buys.

mod args;
mod commands;
mod input;
mod interrupt;
mod output;
mod progress;
mod provenance;
mod timings;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    interrupt::install();
    match commands::run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => output::complain(&error),
    }
}
