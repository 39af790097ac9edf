//! The command line of hotset: arguments become the options of an action, and its result is shown.
//!
//! A file of `commands` declares what its command takes, makes the options of them and shows what
//! [`hotset_actions`] gives. Nothing here decides.
//!
//! | deed | place |
//! | --- | --- |
//! | declare an option of a command; turn it into a field of its options | `commands/COMMAND.rs` |
//! | options that several commands share | `input.rs`, `reading.rs`, `times.rs`, `holding.rs`, `sites.rs`, `state.rs`, `work.rs` |
//! | parse an option's value | beside its declaration; what several commands share in `option_values.rs` |
//! | list a command in the help | its variant in `args.rs`, in the group that people look for it in |
//! | show a result, write its files, say what went wrong, choose the exit code | `output.rs` |
//! | name the option that mends what a library complains of | `hints.rs` |
//! | show how far a job is; end it on Ctrl-C | `progress.rs`; `interrupt.rs` |

mod args;
mod commands;
mod help;
mod hints;
mod holding;
mod input;
mod interrupt;
mod option_values;
mod output;
mod program;
mod progress;
mod reading;
mod shell;
mod sites;
mod state;
mod times;
mod work;

use std::ffi::OsString;
use std::panic;

use anyhow::Result;
use args::{Command, Hold, Look, Measure, Plan, Shell, WhatIf, Workloads};
use clap::Parser;
use commands::{
    apply, compare, config, demo, describe, exec, experiment, generate, import, lab, live, merge,
    model, net, part, plan, probe, release, replay, reproduce, run, simulate, status, sweep,
    validate,
};

/// Has Ctrl-C end commands in order, and panics that become errors say nothing.
pub fn prepare() {
    interrupt::install();
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // A damaged trace folder makes its decoder panic; what the user is told of it is the error it becomes.
        if !hotset_trace::folder::is_decoding() {
            hook(info);
        }
    }));
}

/// Runs a command line, which begins with the name of the program; the exit code.
pub fn run(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let cli = match args::Cli::try_parse_from(&words) {
        Ok(cli) => cli,
        Err(error) => return output::tell_usage(&error),
    };
    let asked = words.iter().skip(1).map(|it| it.to_string_lossy().into());
    match do_job(cli.command, &asked.collect::<Vec<String>>()) {
        Ok(code) => code,
        Err(error) if output::is_broken_pipe(&error) => 0,
        Err(error) => output::complain(&error),
    }
}

/// Runs a command line in this process and keeps what it prints: the exit code, standard output and standard error.
///
/// What goes into a file or device that is named, or is printed by another process, is not kept.
pub fn run_kept(words: impl IntoIterator<Item = OsString>) -> (u8, Vec<u8>, Vec<u8>) {
    let (code, [printed, told]) = output::keep(|| run(words));
    (code, printed, told)
}

fn do_job(command: Command, asked: &[String]) -> Result<u8> {
    let done = match command {
        Command::Look(Look::Describe(args)) => describe::run(&args),
        Command::Look(Look::Compare(args)) => compare::run(&args),
        Command::Look(Look::Part(args)) => part::run(&args),
        Command::Look(Look::Merge(args)) => merge::run(&args),
        Command::Plan(Plan::Plan(args)) => return plan::run(&args),
        Command::Plan(Plan::Demo(args)) => return demo::run(&args),
        Command::Hold(Hold::Apply(args)) => return apply::run(&args),
        Command::Hold(Hold::Status(args)) => return status::run(&args),
        Command::Hold(Hold::Run(args)) => run::run(&args),
        Command::Hold(Hold::Release(args)) => release::run(&args),
        Command::Hold(Hold::Config(args)) => config::run(&args),
        Command::Hold(Hold::Exec(args)) => exec::run(&args),
        Command::Hold(Hold::Live(job)) => live::run(&job),
        Command::Measure(Measure::Probe(args)) => probe::run(&args),
        Command::Measure(Measure::Replay(args)) => replay::run(&args, asked),
        Command::Measure(Measure::Validate(args)) => validate::run(&args),
        Command::Measure(Measure::Experiment(job)) => experiment::run(&job),
        Command::Measure(Measure::Reproduce(args)) => reproduce::run(&args),
        Command::Measure(Measure::Lab(job)) => lab::run(&job),
        Command::WhatIf(WhatIf::Simulate(model)) => simulate::run(&model),
        Command::WhatIf(WhatIf::Model(args)) => model::run(&args),
        Command::WhatIf(WhatIf::Sweep(args)) => sweep::run(&args),
        Command::WhatIf(WhatIf::Net(job)) => net::run(&job),
        Command::Workloads(Workloads::Import(args)) => import::run(&args),
        Command::Workloads(Workloads::Generate(args)) => generate::run(&args, asked),
        Command::Shell(Shell::Completions { shell }) => shell::completions(shell),
        Command::Shell(Shell::Man { dir }) => shell::man(dir.as_deref()),
    };
    done.map(|()| 0)
}
