//! One file a command: what it takes and what it does.

pub mod demo;
pub mod describe;
pub mod generate;
pub mod import;
pub mod plan;
pub mod shell;
pub mod simulate;

use anyhow::Result;

use crate::args::Command;

/// Does the job.
pub fn run(command: Command) -> Result<()> {
    match command {
        Command::Describe(args) => describe::run(&args),
        Command::Plan(args) => plan::run(&args),
        Command::Simulate(simulate::Model::Trace(args)) => simulate::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Demo(args) => demo::run(&args),
        Command::Completions(args) => shell::completions(args),
        Command::Man => shell::man(),
    }
}
