//! `hotset plan`: the main job.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use hotset_actions::plan::{self, SiteTarget};
use hotset_actions::{Results, provenance};
use hotset_live::ServerName;
use hotset_machine::cgroup::MemoryGroup;
use hotset_plan::{PageCacheModel, Verdict};
use hotset_report::number::counted;
use hotset_report::{PlanFileFormat, PlanView};
use hotset_scenario::{MemorySize, Objective};
use strum::VariantNames as _;

use crate::input::InputArgs;
use crate::option_values::{ProfileName, one_of, percent, seed, size};
use crate::output;
use crate::progress::Terminal;
use crate::times::PeriodArgs;

/// What `hotset plan` takes. A scenario may name the logs.
#[derive(clap::Args)]
#[command(mut_arg("logs", |logs| logs.required(false).required_unless_present("scenario")))]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    period: PeriodArgs,
    #[command(flatten)]
    planning: PlanningArgs,
}

/// How to plan and where the plan goes.
#[derive(clap::Args)]
#[command(next_help_heading = "Planning")]
struct PlanningArgs {
    /// Memory of the node, such as 64M or 10% of all files
    ///
    /// In place of that of each node of the scenario. 64M and 64MiB are powers of 1024, 64MB is one of 1000, and 10%
    /// is of the bytes of all files. Held files and page cache share what --server-memory leaves of it. Without a
    /// size, the plan is for what is free here; the report proposes other sizes, and says whether holding is worth
    /// it. -o and --exit-code take a size.
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true)]
    memory: Option<MemorySize>,
    /// Without --memory: the server whose memory group has what is free
    ///
    /// unit:NAME, pid:FILE or cgroup:PATH. Otherwise it is what this machine and the memory group of this process
    /// have.
    #[arg(long, value_name = "SERVER", conflicts_with = "memory")]
    server: Option<ServerName>,
    /// Part of the memory that the server and the kernel need
    ///
    /// The rest is for file data. [default: the scenario's server_memory, else 0]
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true)]
    server_memory: Option<u64>,
    /// Model of the page cache: linux or whole-files
    ///
    /// linux has the parts of files that Linux keeps, whole-files has whole files in two lists.
    #[arg(long, value_name = "MODEL", default_value = "linux", hide_possible_values = true,
        value_parser = one_of::<PageCacheModel, _>(PageCacheModel::VARIANTS.iter().copied()))]
    page_cache: PageCacheModel,
    /// Store that files are read from: a built-in profile or a TOML file
    ///
    /// It is that of the sites that the scenario does not name. Built in are hdd, memory, ssd, nfs, nvme, sata-ssd,
    /// hdd-7200, moosefs, ext3-2004, ramfs-2004, pvfs-2004 and lustre-2004. [default: the first store of a scenario
    /// without sites, else what the kernel says of the site's root, else hdd]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName, hide_possible_values = true)]
    backing: Option<String>,
    /// Scenario file (TOML)
    ///
    /// It has sites with weights and reservations, stores and nodes.
    #[arg(long, value_name = "FILE", conflicts_with = "sites")]
    scenario: Option<PathBuf>,
    /// What the plan is made for
    ///
    /// mean is the least weighted mean response, targets are those of the sites first. [default: targets if there are
    /// some, else mean]
    #[arg(long, value_name = "OBJECTIVE",
        value_parser = one_of::<Objective, _>(Objective::VARIANTS.iter().copied()))]
    objective: Option<Objective>,
    /// What a site's responses should come to, as in `shop=p99 < 20ms`
    ///
    /// Of mean, p50, p95 or p99; may be repeated. It is in place of all targets that the scenario gives the site.
    #[arg(long = "target", value_name = "SITE=TARGET", value_parser = |text: &str| text.parse::<SiteTarget>())]
    targets: Vec<SiteTarget>,
    /// Let the plan give each site a memory group of its own
    ///
    /// For sites whose servers are units or containers of their own.
    #[arg(long)]
    groups: bool,
    /// Plan file in force now
    ///
    /// What changes is shown, and of equally good plans the one that moves fewer bytes is chosen.
    #[arg(long, value_name = "FILE")]
    previous: Option<PathBuf>,
    /// Also report how much memory this gain takes, such as 20%
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    for_gain: Option<f64>,
    /// A store to consider for each site; may be repeated
    ///
    /// Each has a plan of its own. [default: the stores of the scenario, else nvme, sata-ssd, hdd-7200, nfs, moosefs]
    #[arg(long = "candidate", value_name = "PROFILE", value_parser = ProfileName,
        hide_possible_values = true)]
    candidates: Vec<String>,
    /// Seed of the confidence intervals
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    seed: u64,
    /// Also write the plan file: every file to hold
    ///
    /// `-` prints it in place of the report.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Format of the plan file: json, list or vmtouch
    ///
    /// json is what --previous and `hotset apply` read, list has a path a line, and vmtouch is for `vmtouch -l -f -0
    /// -b FILE`. Paths are those on disk where --root is given.
    #[arg(long, value_name = "FORMAT", default_value = "json", requires = "output",
        hide_possible_values = true, value_parser = one_of::<PlanFileFormat, _>(PlanFileFormat::NAMES))]
    output_format: PlanFileFormat,
    /// Let the exit code say what to do
    ///
    /// 0 if nothing is to be changed, 3 if files are to be held or dropped, 4 if the memory is better left to the
    /// page cache.
    #[arg(long)]
    exit_code: bool,
    /// Also write the report as one HTML page
    ///
    /// `-` prints it in place of the report.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Also write every table as a CSV file into this folder
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show how long each part took
    #[arg(long)]
    timings: bool,
}

impl Args {
    /// The memory group of the server, where one is named. It may have none.
    fn group(&self) -> Result<Option<Option<MemoryGroup>>> {
        let server = self.planning.server.as_ref();
        Ok(server.map(|it| it.find()).transpose()?.map(|it| it.group))
    }

    fn options(&self) -> Result<plan::Options> {
        let planning = &self.planning;
        Ok(plan::Options {
            logs: self.input.logs_in(&self.period)?,
            time_zone: self.period.zone().clone(),
            memory: planning.memory,
            group: self.group()?,
            needs_size: planning.output.is_some() || planning.exit_code,
            server_memory: planning.server_memory,
            page_cache: planning.page_cache,
            backing: planning.backing.clone(),
            scenario: planning.scenario.clone(),
            objective: planning.objective,
            targets: planning.targets.clone(),
            groups: planning.groups,
            previous: planning.previous.clone(),
            for_gain: planning.for_gain,
            candidates: planning.candidates.clone(),
            seed: planning.seed,
            timings: planning.timings,
            output_format: planning.output_format,
            results: Results {
                output: planning.output.clone(),
                html: planning.html.clone(),
                csv: planning.csv.clone(),
                json: planning.json,
            },
        })
    }
}

/// Runs the command; the exit code is what `--exit-code` says, else that of success.
pub fn run(args: &Args) -> Result<u8> {
    let verdict = carry_out(&args.options()?)?;
    Ok(match args.planning.exit_code {
        true => exit_code(verdict),
        false => 0,
    })
}

/// Plans, and writes and prints what was asked for.
pub fn carry_out(options: &plan::Options) -> Result<Verdict> {
    let planned = plan::run(options, &Terminal::default())?;
    let view = planned.view();
    deliver(options, &view)?;
    Ok(view.verdict())
}

/// What scripts are told of what to do; 1 and 2 are failures, as everywhere.
fn exit_code(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Unchanged => 0,
        Verdict::Hold => 3,
        Verdict::Leave => 4,
    }
}

fn deliver(options: &plan::Options, view: &PlanView) -> Result<()> {
    if let Some(path) = &options.results.output {
        write_plan_file(options.output_format, path, view)?;
    }
    let provenance = provenance::of_result([
        ("Memory", format!("{} bytes", view.plan.memory_bytes)),
        ("Seed", options.seed.to_string()),
    ]);
    output::deliver(view, &options.results, &provenance)
}

/// Writes the plan file, and says what its reader may not expect.
fn write_plan_file(format: PlanFileFormat, path: &Path, view: &PlanView) -> Result<()> {
    let name = path.display();
    let file = view.plan_file(format);
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
