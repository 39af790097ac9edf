//! `hotset replay`: a trace against a server.

mod args;
mod live;
mod outcome;
mod problems;
mod sending;

use anyhow::{Context, Result};
use hotset_replay::schedule::{ScheduleError, Scheduled, schedule};
use hotset_replay::{Replayed, Schedule, Target};
use hotset_report::replay::{About, ReplayReport};
use hotset_report::{page, terminal};

use crate::input::{Input, name_of};
use crate::output::{self, Usage};
pub use args::Args;

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let files = [args.results.output.as_ref(), args.results.html.as_ref()];
    output::check_files(&files)?;
    let target = sending::usage(Target::resolve(&args.url))?;
    let options = sending::options(args, target)?;
    let input = args
        .input
        .read_with(&args.input.reading.options_beside_names()?)?;
    output::refuse_inputs(&files, input.files())?;
    let (schedule, scheduled) = planned(args, &input)?;
    drop(input);
    let told_below = !args.results.json && output::shares_terminal();
    problems::before(&scheduled, told_below)
        .iter()
        .for_each(|warning| output::warn(warning));
    let replayed = sending::send(&schedule, &options)?;
    let report = report(args, &replayed, scheduled)?;
    problems::after(&report)
        .iter()
        .for_each(|warning| output::warn(warning));
    deliver(args, &report)?;
    problems::verdict(&report)
}

/// What is sent when.
fn planned(args: &Args, input: &Input) -> Result<(Schedule, Scheduled)> {
    let sessions = input.sessions(args.what.seed);
    let made = schedule(&input.trace, &sessions, &args.schedule_options(input));
    made.map_err(|error| match error {
        ScheduleError::EmptyRange { .. } => Usage(error.to_string()).into(),
        error => anyhow::Error::from(error),
    })
    .with_context(|| name_of(&args.input.logs).unwrap_or_default())
}

fn report(args: &Args, replayed: &Replayed, schedule: Scheduled) -> Result<ReplayReport> {
    let provenance = outcome::provenance(args)?;
    let outcome = outcome::outcome(args, replayed, &provenance);
    let about = About {
        url: args.url.clone(),
        schedule,
        client_limit: replayed.client_limit.as_ref().map(problems::client_limit),
        provenance,
        outcomes: vec![outcome],
    };
    Ok(ReplayReport::new(replayed, about))
}

/// Writes and prints what was asked for.
fn deliver(args: &Args, report: &ReplayReport) -> Result<()> {
    let json = serde_json::to_value(report)?;
    if let Some(path) = &args.results.output {
        output::write_file(path, output::json_text(&json).as_bytes())?;
    }
    if let Some(path) = &args.results.html {
        output::write_file(path, page::replayed(report).as_bytes())?;
    }
    if args.results.json {
        return output::print_json(&json);
    }
    output::print(&terminal::replayed(report, output::style()))
}
