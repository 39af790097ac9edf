//! `hotset replay`: a trace against a server.

mod args;
mod how;
mod live;
mod moment;
mod outcome;
mod problems;
mod what;

use anyhow::{Context, Result};
use hotset_actions::{Input, name_of};
use hotset_replay::schedule::{ScheduleSummary, schedule};
use hotset_replay::{Endpoint, Options, Replayed, Schedule, replay};
use hotset_report::View;
use hotset_report::replay::{ReplayContext, ReplayView};
use hotset_trace::read::{QueryRule, ReadSummary};

use crate::interrupt;
use crate::output;
pub use args::Args;
use live::Live;

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let files = args.results.files();
    output::check_files(&files, args.results.json)?;
    output::check_sheets(args.results.csv.as_ref(), [].into_iter())?;
    let endpoint = Endpoint::resolve(&args.url).map_err(how::explained)?;
    let options = args.options(endpoint);
    let input = args
        .input
        .read_with(&args.input.reading.options_beside_names()?)?;
    output::refuse_inputs(&files, input.files())?;
    output::check_sheets(args.results.csv.as_ref(), input.files())?;
    let (schedule, summary) = scheduled(args, &input)?;
    let reading = input.into_summary();
    let told_below = !args.results.json && output::shares_terminal();
    problems::before(&summary, told_below)
        .iter()
        .for_each(|warning| output::warn(warning));
    let replayed = send(&schedule, &options)?;
    let report = report(args, &replayed, summary, reading)?;
    problems::after(&report)
        .iter()
        .for_each(|warning| output::warn(warning));
    deliver(args, &report)?;
    problems::verdict(&report)?;
    problems::check(&args.url, &args.results.fail_if, &replayed)
}

/// What is sent when.
fn scheduled(args: &Args, input: &Input) -> Result<(Schedule, ScheduleSummary)> {
    let sessions = input.sessions(args.what.seed);
    let sites = args.input.reading.site_names().map(str::to_owned);
    let queries = input.summary.query_rule == QueryRule::Keep;
    let zone = &args.zone.time_zone;
    let options = args.what.schedule_options(sites.collect(), queries, zone)?;
    schedule(&input.trace, &sessions, &options)
        .map_err(what::explained)
        .with_context(|| name_of(&args.input.logs))
}

/// Sends; on Ctrl-C it stops and reports what was measured until then.
fn send(schedule: &Schedule, options: &Options) -> Result<Replayed> {
    let _guard = interrupt::Guard::new();
    let live = Live::new(schedule, options);
    let replayed = replay(schedule, options, &live).map_err(how::explained);
    // From here on Ctrl-C is answered at once again, and errors speak for themselves.
    interrupt::forget();
    replayed
}

fn report(
    args: &Args,
    replayed: &Replayed,
    schedule: ScheduleSummary,
    reading: ReadSummary,
) -> Result<ReplayView> {
    let provenance = outcome::provenance(args);
    let outcome = outcome::outcome(args, replayed, &reading, &provenance);
    let context = ReplayContext {
        url: args.url.clone(),
        schedule,
        reading,
        time_zone: args.zone.time_zone.clone(),
        client_limit: replayed.client_limit.as_ref().map(problems::client_limit),
        ramp_us: args.what.ramp.as_secs_f64() * 1e6,
        provenance,
        outcomes: vec![outcome],
    };
    Ok(ReplayView::new(replayed, context))
}

/// Writes and prints what was asked for.
fn deliver(args: &Args, report: &ReplayView) -> Result<()> {
    if let Some(path) = &args.results.output {
        output::write_file(path, report.json()?.as_bytes())?;
    }
    output::write_page(report, args.results.html.as_ref(), &report.provenance)?;
    output::write_sheets(report, args.results.csv.as_ref())?;
    output::print_beside(&args.results.files(), report, args.results.json)
}
