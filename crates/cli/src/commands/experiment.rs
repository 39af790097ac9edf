//! `hotset experiment`: grids of measurements, laid beside what is predicted and published.

use std::path::{Path, PathBuf};

use anyhow::Result;
use hotset_actions::{Results, experiment, lab};
use hotset_experiment::Tools;
use hotset_report::View;

use crate::progress::Terminal;
use crate::work::WorkArgs;
use crate::{output, program};

/// What `hotset experiment` does.
#[derive(clap::Subcommand)]
pub enum Job {
    /// Measure what has not been measured yet, then show all of it; needs root
    #[command(
        after_help = "Examples:\n  hotset experiment run experiments/pollution/experiment.toml"
    )]
    Run(RunArgs),
    /// Say what there is to measure and what has been measured; without a file, of all experiments below the working folder
    #[command(
        after_help = "Examples:\n  hotset experiment list\n  hotset experiment list experiments/pollution/experiment.toml"
    )]
    List(ListArgs),
    /// Lay the results that are kept beside what the model predicts now and what is published
    #[command(
        after_help = "Examples:\n  hotset experiment show experiments/pollution/experiment.toml --cell 2x2"
    )]
    Show(Args),
    /// Sum up how far simulated jobs of several experiments are off, by the results that are kept
    #[command(
        after_help = "Examples:\n  hotset experiment scores experiments/local-*/experiment.toml"
    )]
    Scores(ScoresArgs),
    /// Say what servers cost by the results that are kept, and write it as scenarios read it
    #[command(
        after_help = "Examples:\n  hotset experiment server-profile experiments/server-costs/experiment.toml -o servers.toml"
    )]
    ServerProfile(ServerProfileArgs),
    /// Say what pages of an application take by the results that are kept, and write it as simulations read it
    #[command(
        after_help = "Examples:\n  hotset experiment application-profile experiments/page-costs/experiment.toml -o pages.toml"
    )]
    ApplicationProfile(ApplicationProfileArgs),
}

/// What `hotset experiment application-profile` takes.
#[derive(clap::Args)]
pub struct ApplicationProfileArgs {
    /// The experiment file, of kind databases
    #[arg(value_name = "EXPERIMENT.toml")]
    experiment: PathBuf,
    /// Write the profile here, for --application of simulate scenario
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What `hotset experiment server-profile` takes.
#[derive(clap::Args)]
pub struct ServerProfileArgs {
    /// The experiment file, of kind tiers
    #[arg(value_name = "EXPERIMENT.toml")]
    experiment: PathBuf,
    /// Write the profile here, as `server_profile` of a scenario names it
    #[arg(short, long, value_name = "FILE.toml")]
    output: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Which points of which experiment.
#[derive(clap::Args)]
pub struct Args {
    /// The experiment file
    #[arg(value_name = "EXPERIMENT.toml")]
    experiment: PathBuf,
    #[command(flatten)]
    selection: Selection,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What `hotset experiment list` takes.
#[derive(clap::Args)]
pub struct ListArgs {
    /// The experiment file; without it, all below the working folder are listed
    #[arg(value_name = "EXPERIMENT.toml")]
    experiment: Option<PathBuf>,
    #[command(flatten)]
    selection: Selection,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What `hotset experiment scores` takes.
#[derive(clap::Args)]
pub struct ScoresArgs {
    /// The experiment files
    #[arg(value_name = "EXPERIMENT.toml", required = true)]
    experiments: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Some points of an experiment.
#[derive(clap::Args)]
struct Selection {
    /// Only this cell; may be repeated
    #[arg(long = "cell", value_name = "CELL", requires = "experiment")]
    cells: Vec<String>,
    /// Only this way of using the memory; may be repeated
    #[arg(long = "arm", value_name = "ARM", requires = "experiment")]
    arms: Vec<String>,
    /// Only this store; may be repeated
    #[arg(long = "store", value_name = "STORE", requires = "experiment")]
    stores: Vec<String>,
    /// Only this run of an experiment that repeats its runs
    ///
    /// `paced`, or a number from 1; may be repeated.
    #[arg(long = "run", value_name = "RUN", requires = "experiment")]
    runs: Vec<String>,
}

/// What `hotset experiment run` takes.
#[derive(clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    points: Args,
    #[command(flatten)]
    work: WorkArgs,
}

impl Args {
    fn options(&self) -> experiment::Options {
        self.selection.of(&self.experiment)
    }
}

impl Selection {
    fn of(&self, experiment: &Path) -> experiment::Options {
        experiment::Options {
            experiment: experiment.to_owned(),
            cells: self.cells.clone(),
            arms: self.arms.clone(),
            stores: self.stores.clone(),
            runs: self.runs.clone(),
        }
    }
}

impl RunArgs {
    fn tools(&self) -> Result<Tools> {
        Ok(Tools {
            directories: lab::directories(&self.work.folder),
            program: program::program()?,
            drive_command: program::command(["lab", "disk"])?,
            reader_command: program::command(["lab", "read"])?,
        })
    }
}

/// Runs the command.
pub fn run(job: &Job) -> Result<()> {
    match job {
        Job::Run(args) => {
            let options = args.points.options();
            let view = experiment::run(&options, &args.tools()?, &Terminal::default())?;
            output::print_view(&view, args.points.json)
        }
        Job::List(args) => list(args),
        Job::Show(args) => output::print_view(&experiment::show(&args.options())?, args.json),
        Job::Scores(args) => output::print_view(&experiment::scores(&args.experiments)?, args.json),
        Job::ServerProfile(args) => server_profile(args),
        Job::ApplicationProfile(args) => application_profile(args),
    }
}

fn server_profile(args: &ServerProfileArgs) -> Result<()> {
    let options = experiment::ServerProfileOptions {
        experiment: args.experiment.clone(),
        results: profile_results(args.output.as_ref(), args.json),
    };
    let servers = experiment::server_profile(&options)?;
    put_profile(&options.results, &servers.view, &servers.file)
}

fn application_profile(args: &ApplicationProfileArgs) -> Result<()> {
    let options = experiment::ApplicationProfileOptions {
        experiment: args.experiment.clone(),
        results: profile_results(args.output.as_ref(), args.json),
    };
    let pages = experiment::application_profile(&options)?;
    put_profile(&options.results, &pages.view, &pages.file)
}

/// Where a profile and what is said of it go.
fn profile_results(output: Option<&PathBuf>, json: bool) -> Results {
    Results {
        output: output.cloned(),
        json,
        ..Results::default()
    }
}

/// Prints what is said of a profile, and writes its file where one is wanted.
fn put_profile(results: &Results, view: &impl View, file: &str) -> Result<()> {
    output::print_beside(results, view)?;
    match &results.output {
        Some(path) => output::write_file(path, file.as_bytes()),
        None => Ok(()),
    }
}

fn list(args: &ListArgs) -> Result<()> {
    match &args.experiment {
        Some(file) => {
            let view = experiment::list(&args.selection.of(file))?;
            output::print_view(&view, args.json)
        }
        None => output::print_view(&experiment::below(Path::new("."))?, args.json),
    }
}
