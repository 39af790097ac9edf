//! The `hotset` command: which files of your web sites to hold in memory, and what that buys.

mod args;
mod commands;
mod hints;
mod input;
mod interrupt;
mod lab_tools;
mod option_values;
mod output;
mod progress;
mod reading;
mod shell;
mod times;

use std::panic;
use std::process::ExitCode;

use anyhow::Result;
use args::Command;
use clap::Parser;
use commands::{
    apply, compare, config, demo, describe, exec, experiment, generate, import, lab, live, merge,
    net, part, plan, probe, release, replay, run, simulate, status, validate,
};

fn main() -> ExitCode {
    let cli = args::Cli::parse();
    interrupt::install();
    quieten_caught_panics();
    match do_job(cli.command) {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => output::complain(&error),
    }
}

/// A damaged trace folder makes its decoder panic; what the user is told of it is the error it becomes.
fn quieten_caught_panics() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !hotset_trace::folder::is_decoding() {
            hook(info);
        }
    }));
}

fn do_job(command: Command) -> Result<ExitCode> {
    let done = match command {
        Command::Describe(args) => describe::run(&args),
        Command::Plan(args) => return plan::run(&args),
        Command::Simulate(simulate::Model::Trace(args)) => simulate::run(&args),
        Command::Simulate(simulate::Model::Fio(args)) => simulate::fio::run(&args),
        Command::Probe(args) => probe::run(&args),
        Command::Validate(args) => validate::run(&args),
        Command::Compare(args) => compare::run(&args),
        Command::Apply(args) => return apply::run(&args),
        Command::Status(args) => return status::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Release(args) => release::run(&args),
        Command::Config(args) => config::run(&args),
        Command::Exec(args) => exec::run(&args),
        Command::Live(job) => live::run(&job),
        Command::Replay(args) => replay::run(&args),
        Command::Part(args) => part::run(&args),
        Command::Merge(args) => merge::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Experiment(job) => experiment::run(&job),
        Command::Lab(job) => lab::run(&job),
        Command::Net(job) => net::run(&job),
        Command::Demo(args) => return demo::run(&args),
        Command::Completions { shell } => shell::completions(shell),
        Command::Man { dir: None } => shell::man(),
        Command::Man { dir: Some(folder) } => shell::man_pages(&folder),
    };
    done.map(|()| ExitCode::SUCCESS)
}
