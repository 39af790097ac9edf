//! What `hotset plan` takes.

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use hotset_actions::plan::{Planning, SiteTarget};
use hotset_plan::PageCacheModel;
use hotset_report::PlanFileFormat;
use hotset_scenario::{MemorySize, Objective};

use crate::input::InputArgs;
use crate::option_values::{ProfileName, one_of, percent, seed, size};
use crate::times::PeriodArgs;

/// What `hotset plan` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub period: PeriodArgs,
    #[command(flatten)]
    pub planning: PlanningArgs,
}

/// How to plan and where the plan goes.
#[derive(clap::Args)]
#[command(next_help_heading = "Planning")]
pub struct PlanningArgs {
    /// Memory of the node, or of each node of the scenario: 64M or 64MiB (both are powers of 1024, 64MB is
    /// one of 1000), or 10% of the bytes of all files. Held files and page cache share what --server-memory leaves of it
    #[arg(
        long,
        value_name = "SIZE",
        required_unless_present = "scenario",
        allow_hyphen_values = true
    )]
    pub memory: Option<MemorySize>,
    /// Part of the memory that the server and the kernel need; the rest is for file data [default: the
    /// scenario's server_memory, else 0]
    #[arg(long, value_name = "SIZE", value_parser = size, allow_hyphen_values = true)]
    pub server_memory: Option<u64>,
    /// Model of the page cache: the parts of files that Linux keeps, or whole files in two lists
    #[arg(long, value_name = "MODEL", default_value = "linux",
        value_parser = PossibleValuesParser::new(["linux", "whole-files"]).map(page_cache))]
    pub page_cache: PageCacheModel,
    /// Store of the sites that the scenario does not name: a built-in profile (hdd, memory, ssd, nfs, nvme,
    /// sata-ssd, hdd-7200, moosefs, ext3-2004, ramfs-2004, pvfs-2004, lustre-2004) or a TOML file [default:
    /// the first store of a scenario without sites, else hdd]
    #[arg(long, value_name = "PROFILE", value_parser = ProfileName, hide_possible_values = true)]
    pub backing: Option<String>,
    /// Scenario file (TOML): sites with weights and reservations, stores, nodes
    #[arg(long, value_name = "FILE", conflicts_with = "sites")]
    pub scenario: Option<PathBuf>,
    /// What the plan is made for: the least weighted mean response, or the sites' targets first [default: targets if
    /// there are some, else mean]
    #[arg(long, value_name = "OBJECTIVE",
        value_parser = PossibleValuesParser::new(["mean", "targets"]).map(objective))]
    pub objective: Option<Objective>,
    /// What a site's responses should come to, such as `shop=p99 < 20ms`: mean, p50, p95 or p99; may be repeated. In
    /// place of all targets that the scenario gives the site
    #[arg(long = "target", value_name = "SITE=TARGET", value_parser = |text: &str| text.parse::<SiteTarget>())]
    pub targets: Vec<SiteTarget>,
    /// Let the plan split the memory into groups, one for each site: for sites whose servers are units or containers of
    /// their own
    #[arg(long)]
    pub groups: bool,
    /// Plan file in force now: what changes is shown, and of equally good plans the one that moves fewer bytes is chosen
    #[arg(long, value_name = "FILE")]
    pub previous: Option<PathBuf>,
    /// Also report how much memory this gain takes, such as 20%
    #[arg(long, value_name = "PERCENT", value_parser = percent)]
    pub for_gain: Option<f64>,
    /// A store to consider for each site, by a plan of its own; may be repeated [default: the stores of the
    /// scenario, else nvme, sata-ssd, hdd-7200, nfs, moosefs]
    #[arg(long = "candidate", value_name = "PROFILE", value_parser = ProfileName,
        hide_possible_values = true)]
    pub candidates: Vec<String>,
    /// Seed of the confidence intervals
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Also write the plan file: every file to hold; `-` prints it in place of the report
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Format of the plan file: json, which --previous reads; list, a path a line; vmtouch, for
    /// `vmtouch -l -f -0 -b FILE`. Paths are those on disk where --root is given
    #[arg(long, value_name = "FORMAT", default_value = "json", requires = "output",
        hide_possible_values = true, value_parser = one_of::<PlanFileFormat, _>(PlanFileFormat::NAMES))]
    pub output_format: PlanFileFormat,
    /// Exit with 0 if nothing is to be changed, 3 if files are to be held or dropped, 4 if the memory
    /// is better left to the page cache
    #[arg(long)]
    pub exit_code: bool,
    /// Also write the report as one HTML page; `-` prints it in place of the report
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Also write every table as a CSV file into this folder
    #[arg(long, value_name = "FOLDER")]
    pub csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Show how long each part took
    #[arg(long)]
    pub timings: bool,
}

impl PlanningArgs {
    /// The files that results are written to.
    pub fn files(&self) -> [Option<&PathBuf>; 2] {
        [self.output.as_ref(), self.html.as_ref()]
    }

    /// What they ask of the plan.
    pub fn planning(&self) -> Planning {
        Planning {
            memory: self.memory,
            server_memory: self.server_memory,
            page_cache: self.page_cache,
            backing: self.backing.clone(),
            scenario: self.scenario.clone(),
            objective: self.objective,
            targets: self.targets.clone(),
            groups: self.groups,
            previous: self.previous.clone(),
            for_gain: self.for_gain,
            candidates: self.candidates.clone(),
            seed: self.seed,
            stop: None,
        }
    }
}

fn page_cache(name: String) -> PageCacheModel {
    match name.as_str() {
        "linux" => PageCacheModel::Linux,
        _ => PageCacheModel::WholeFiles,
    }
}

fn objective(name: String) -> Objective {
    match name.as_str() {
        "mean" => Objective::Mean,
        _ => Objective::Targets,
    }
}
