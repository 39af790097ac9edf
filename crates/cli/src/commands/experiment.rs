//! `hotset experiment`: grids of measurements, laid beside what is predicted and published.

use std::path::PathBuf;

use anyhow::Result;
use hotset_experiment::{Axis, Experiment, ExperimentError, Selection, Tools};
use hotset_report::{ExperimentView, PointsView};

use crate::interrupt;
use crate::lab_tools::{self, WorkArgs};
use crate::output::{self, Usage};
use crate::progress::Steps;
use hotset_actions::provenance;

/// What `hotset experiment` does.
#[derive(clap::Subcommand)]
pub enum Job {
    /// Measure what has not been measured yet, then show all of it; needs root
    #[command(
        after_help = "Examples:\n  hotset experiment run experiments/pollution/experiment.toml"
    )]
    Run(RunArgs),
    /// Say what there is to measure and what has been measured
    #[command(
        after_help = "Examples:\n  hotset experiment list experiments/pollution/experiment.toml"
    )]
    List(Args),
    /// Lay the results that are kept beside what the model predicts now and what is published
    #[command(
        after_help = "Examples:\n  hotset experiment show experiments/pollution/experiment.toml"
    )]
    Show(Args),
}

/// Which points of which experiment.
#[derive(clap::Args)]
pub struct Args {
    /// The experiment file
    #[arg(value_name = "EXPERIMENT.toml")]
    experiment: PathBuf,
    /// Only this cell; may be repeated
    #[arg(long = "cell", value_name = "CELL")]
    cells: Vec<String>,
    /// Only this way of using the memory; may be repeated
    #[arg(long = "arm", value_name = "ARM")]
    arms: Vec<String>,
    /// Only this store; may be repeated
    #[arg(long = "store", value_name = "STORE")]
    stores: Vec<String>,
    /// Only this run of an experiment that repeats its runs: `paced`, or a number from 1; may be repeated
    #[arg(long = "run", value_name = "RUN")]
    runs: Vec<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What `hotset experiment run` takes.
#[derive(clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    points: Args,
    #[command(flatten)]
    work: WorkArgs,
}

/// Runs the command.
pub fn run(job: &Job) -> Result<()> {
    match job {
        Job::Run(args) => measure(args),
        Job::List(args) => list(args),
        Job::Show(args) => {
            let experiment = Experiment::load(&args.experiment)?;
            show(args, &experiment)
        }
    }
}

fn measure(args: &RunArgs) -> Result<()> {
    let experiment = Experiment::load(&args.points.experiment)?;
    let tools = Tools {
        directories: args.work.directories(),
        program: lab_tools::program()?,
        drive_command: lab_tools::command("disk")?,
        reader_command: lab_tools::command("read")?,
    };
    {
        let _guard = interrupt::Guard::new();
        let steps = Steps::new();
        let date = provenance::now();
        let measured = experiment.run(&args.points.selection(), &tools, &date, &steps);
        measured.map_err(usage)?;
    }
    show(&args.points, &experiment)
}

fn list(args: &Args) -> Result<()> {
    let experiment = Experiment::load(&args.experiment)?;
    let items = experiment.list(&args.selection()).map_err(usage)?;
    let view = PointsView {
        tool: provenance::tool(),
        points: items,
    };
    output::print_view(&view, args.json)
}

fn show(args: &Args, experiment: &Experiment) -> Result<()> {
    let view = ExperimentView {
        tool: provenance::tool(),
        report: experiment.show(&args.selection()).map_err(usage)?,
    };
    output::print_view(&view, args.json)
}

impl Args {
    fn selection(&self) -> Selection {
        Selection::default()
            .with(Axis::Cell, &self.cells)
            .with(Axis::Arm, &self.arms)
            .with(Axis::Store, &self.stores)
            .with(Axis::Run, &self.runs)
    }
}

/// A selection of what there is not is a mistake on the command line.
fn usage(error: ExperimentError) -> anyhow::Error {
    match error {
        ExperimentError::Selection(problem) => Usage(problem).into(),
        other => other.into(),
    }
}
