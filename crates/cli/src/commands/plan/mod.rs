//! `hotset plan`: the main job.

mod args;

use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use clap::Parser as _;
use hotset_actions::plan::{PlannedTraffic, Setting};
use hotset_actions::{Input, Timings, name_of};
use hotset_plan::Verdict;
use hotset_report::number::counted;
use hotset_report::{PlanFileFormat, PlanView};
use hotset_scenario::{Placement, Scenario};
use hotset_trace::read::Roots;

use crate::progress::Spinner;
use crate::{input, output};
pub use args::Args;
use args::PlanningArgs;
use hotset_actions::provenance;

/// Runs the command; the exit code is what `--exit-code` says, else that of success.
pub fn run(args: &Args) -> Result<ExitCode> {
    let mut timings = Timings::start();
    let files = args.planning.files();
    output::check_files(&files, args.planning.json)?;
    output::check_sheets(args.planning.csv.as_ref(), [].into_iter())?;
    check_previous(&args.planning)?;
    let mut traffic = Traffic::read(args)?;
    let scenario = args.planning.scenario.as_deref();
    output::refuse_inputs(&files, traffic.input.files().chain(scenario))?;
    output::check_sheets(args.planning.csv.as_ref(), traffic.input.files())?;
    timings.part("read");
    let planned = traffic.plan(args, &mut timings)?;
    let usage = timings.usage(args.planning.timings);
    let view = planned.view(&traffic.input.summary, usage);
    match deliver(&args.planning, &view) {
        // What to do is known, even if nobody reads the report.
        Err(error) if !output::is_broken_pipe(&error) => Err(error),
        _ if args.planning.exit_code => Ok(exit_code(view.verdict())),
        _ => Ok(ExitCode::SUCCESS),
    }
}

/// The plan that a scenario with its own logs asks for: what `hotset plan --scenario` writes with `-o`.
pub fn of_scenario(path: &Path) -> Result<Placement> {
    let logs = Scenario::load(path)?.logs;
    if logs.is_empty() {
        bail!(
            "{}: there are no access logs to plan for; name them with `log` at the top of the file, or make the plan with \
             `hotset plan --scenario`",
            path.display()
        );
    }
    let options = [
        OsStr::new("plan"),
        OsStr::new("--scenario"),
        path.as_os_str(),
    ];
    let words = options.into_iter().chain([OsStr::new("--")]);
    let Line { args } = Line::try_parse_from(words.chain(logs.iter().map(|log| log.as_os_str())))?;
    let mut traffic = Traffic::read(&args)?;
    let planned = traffic.plan(&args, &mut Timings::start())?;
    Ok(planned.into_placement())
}

/// The arguments of `hotset plan` by themselves.
#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

/// Traffic to plan for.
struct Traffic {
    setting: Setting,
    roots: Roots,
    input: Input,
}

impl Traffic {
    fn read(args: &Args) -> Result<Self> {
        let setting = Setting::of(&args.planning.planning()).map_err(input::refusal)?;
        let replaced = setting.replaced_targets();
        replaced.iter().for_each(|warning| output::warn(warning));
        let mut options = args.input.reading.options()?;
        setting.add_to(&mut options).map_err(input::refusal)?;
        options.period = args.period.period()?;
        Ok(Self {
            setting,
            roots: Roots::new(options.roots.clone())?,
            input: args.input.read_with(&options)?,
        })
    }

    fn plan(&mut self, args: &Args, timings: &mut Timings) -> Result<PlannedTraffic> {
        let sites = &self.input.trace.sites;
        self.setting.check(sites).map_err(input::refusal)?;
        let name = name_of(&args.input.logs);
        let spinner = Spinner::new("planning");
        let planned = PlannedTraffic::of(
            &mut self.input,
            &name,
            args.period.zone(),
            &self.roots,
            &self.setting,
            &args.planning.planning(),
            timings,
        );
        drop(spinner);
        let planned = planned.map_err(input::refusal)?;
        planned.warnings().iter().for_each(|it| output::warn(it));
        Ok(planned)
    }
}

/// Refuses results that would overwrite the plan in force with what no later plan reads.
fn check_previous(args: &PlanningArgs) -> Result<()> {
    let list = args.output.as_ref();
    let list = list.filter(|_| args.output_format != PlanFileFormat::Json);
    output::refuse_inputs(
        &[list, args.html.as_ref()],
        args.previous.as_deref().into_iter(),
    )
}

/// What scripts are told of what to do; 1 and 2 are failures, as everywhere.
fn exit_code(verdict: Verdict) -> ExitCode {
    match verdict {
        Verdict::Unchanged => ExitCode::SUCCESS,
        Verdict::Hold => ExitCode::from(3),
        Verdict::Leave => ExitCode::from(4),
    }
}

/// Writes and prints what was asked for.
fn deliver(args: &PlanningArgs, view: &PlanView) -> Result<()> {
    if let Some(path) = &args.output {
        write_plan_file(args, path, view)?;
    }
    let provenance = provenance::of_result([
        ("Memory", format!("{} bytes", view.plan.memory_bytes)),
        ("Seed", args.seed.to_string()),
    ]);
    output::write_page(view, args.html.as_ref(), &provenance)?;
    output::write_sheets(view, args.csv.as_ref())?;
    output::print_beside(&args.files(), view, args.json)
}

/// Writes the plan file, and says what its reader may not expect.
fn write_plan_file(args: &PlanningArgs, path: &Path, view: &PlanView) -> Result<()> {
    let name = path.display();
    let file = view.plan_file(args.output_format);
    let file = file.with_context(|| format!("cannot write {name}"))?;
    output::write_file(path, &file.contents)?;
    if file.by_url > 0 {
        output::warn(&format!(
            "{name}: {} by URL path, because their sites have no root; --root SITE=DIR names it",
            counted(file.by_url, "file goes", "files go")
        ));
    }
    if file.left_out > 0 {
        output::warn(&format!(
            "{name}: {} left out, because their roots do not have them",
            counted(file.left_out, "file is", "files are")
        ));
    }
    Ok(())
}
