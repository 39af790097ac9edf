//! `hotset plan`: the main job.

mod args;
mod planned;
mod setting;

use anyhow::Result;
use hotset_report::PlanView;
use hotset_trace::read::Roots;

use crate::input::name_of;
use crate::progress::Spinner;
use crate::timings::Timings;
use crate::{output, provenance};
pub use args::Args;
use args::PlanningArgs;
use planned::PlannedTraffic;
use setting::Setting;

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let mut timings = Timings::start();
    let files = args.planning.files();
    output::check_files(&files, args.planning.json)?;
    output::check_sheets(args.planning.csv.as_ref(), [].into_iter())?;
    let setting = Setting::of(&args.planning)?;
    let mut options = args.input.reading.options()?;
    setting.add_to(&mut options)?;
    options.period = args.period.period()?;
    let roots = Roots::new(options.roots.clone())?;
    let input = args.input.read_with(&options)?;
    let scenario = args.planning.scenario.as_deref();
    output::refuse_inputs(&files, input.files().chain(scenario))?;
    output::check_sheets(args.planning.csv.as_ref(), input.files())?;
    timings.part("read");
    setting.check(&input.trace.sites)?;
    let name = name_of(&args.input.logs)?;
    let spinner = Spinner::new("planning");
    let planned = PlannedTraffic::of(
        &input,
        &name,
        args.period.zone(),
        &roots,
        &setting,
        &args.planning,
        &mut timings,
    )?;
    drop(spinner);
    let usage = timings.usage(args.planning.timings);
    deliver(&args.planning, &planned.view(&input.summary, usage))
}

/// Writes and prints what was asked for.
fn deliver(args: &PlanningArgs, view: &PlanView) -> Result<()> {
    if let Some(path) = &args.output {
        output::write_file(path, view.plan_file()?.as_bytes())?;
    }
    let provenance = provenance::of_result([
        ("Memory", format!("{} bytes", view.plan.memory_bytes)),
        ("Seed", args.seed.to_string()),
    ]);
    output::write_page(view, args.html.as_ref(), &provenance)?;
    output::write_sheets(view, args.csv.as_ref())?;
    output::print_beside(&args.files(), view, args.json)
}
