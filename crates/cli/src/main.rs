//! The `hotset` command: which files of your web sites to hold in memory, and what that buys.

mod args;
mod commands;
mod input;
mod interrupt;
mod output;
mod progress;
mod provenance;
mod shell;
mod timings;

use std::process::ExitCode;

use anyhow::Result;
use args::Command;
use clap::Parser;
use commands::{demo, describe, generate, import, plan, simulate};

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    interrupt::install();
    match run(cli.command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => output::complain(&error),
    }
}

fn run(command: Command) -> Result<()> {
    match command {
        Command::Describe(args) => describe::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Simulate(simulate::Model::Trace(args)) => simulate::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { dir: None } => shell::man(),
        Command::Man { dir: Some(folder) } => shell::man_pages(&folder),
    }
}
