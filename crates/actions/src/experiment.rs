//! Grids of measurements, laid beside what is predicted and published.

use std::path::{Path, PathBuf};

use hotset_experiment::{Axis, Experiment, ExperimentError, Selection, Tools};
use hotset_report::{
    ApplicationProfileView, ExperimentScoresView, ExperimentView, ExperimentsView, PointsView,
    ServerProfileView,
};

use crate::error::{refused, usage};
use crate::lab::Steps;
use crate::{JobError, Results, Watch, provenance};

/// Which points of which experiment.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The experiment file.
    pub experiment: PathBuf,
    /// Only these cells; all where empty, as for what follows.
    pub cells: Vec<String>,
    /// Only these ways of using the memory.
    pub arms: Vec<String>,
    /// Only these stores.
    pub stores: Vec<String>,
    /// Only these runs of an experiment that repeats its runs.
    pub runs: Vec<String>,
}

impl Options {
    fn selection(&self) -> Selection {
        Selection::default()
            .with(Axis::Cell, &self.cells)
            .with(Axis::Arm, &self.arms)
            .with(Axis::Store, &self.stores)
            .with(Axis::Run, &self.runs)
    }
}

/// Measures what has not been measured yet, with `tools`. Then shows all of it.
///
/// # Errors
/// What cannot be read or measured.
pub fn run(
    options: &Options,
    tools: &Tools,
    watch: &dyn Watch,
) -> Result<ExperimentView, JobError> {
    let experiment = Experiment::load(&options.experiment)?;
    {
        let _held = watch.hold_interrupts();
        experiment.run(
            &options.selection(),
            tools,
            &provenance::now(),
            &Steps(watch),
        )?;
        watch.end();
    }
    shown(options, &experiment)
}

/// What there is to measure, and what has been measured.
///
/// # Errors
/// What cannot be read.
pub fn list(options: &Options) -> Result<PointsView, JobError> {
    let experiment = Experiment::load(&options.experiment)?;
    Ok(PointsView {
        tool: provenance::tool(),
        points: experiment.list(&options.selection())?,
    })
}

/// The experiments below `folder`, and how much of each has been measured.
///
/// # Errors
/// A folder that cannot be read.
pub fn below(folder: &Path) -> Result<ExperimentsView, JobError> {
    Ok(ExperimentsView {
        tool: provenance::tool(),
        experiments: hotset_experiment::below(folder)?,
    })
}

/// Which experiment has measured servers.
#[derive(Clone, Debug, Default)]
pub struct ServerProfileOptions {
    /// The experiment file.
    pub experiment: PathBuf,
    /// Where the report goes; `output` is the file for the server profile.
    pub results: Results,
}

/// What servers cost.
#[derive(Clone, Debug)]
pub struct MeasuredServers {
    /// What reports show.
    pub view: ServerProfileView,
    /// What the file is to hold.
    pub file: String,
}

/// What the results that are kept say of the costs of servers.
///
/// # Errors
/// What cannot be read, results that do not tell, or a file that cannot be written.
pub fn server_profile(options: &ServerProfileOptions) -> Result<MeasuredServers, JobError> {
    options.results.check()?;
    let profile = Experiment::load(&options.experiment)?.server_profile()?;
    let file = profile.to_toml();
    let file = file.map_err(|error| refused(format!("cannot write the profile: {error}")))?;
    Ok(MeasuredServers {
        view: ServerProfileView::of(provenance::tool(), &profile),
        file,
    })
}

/// Which experiment has measured pages of an application.
#[derive(Clone, Debug, Default)]
pub struct ApplicationProfileOptions {
    /// The experiment file.
    pub experiment: PathBuf,
    /// Where the report goes; `output` is the file for the application's profile.
    pub results: Results,
}

/// What pages of an application take.
#[derive(Clone, Debug)]
pub struct MeasuredPages {
    /// What reports show.
    pub view: ApplicationProfileView,
    /// What the file is to hold.
    pub file: String,
}

/// What the results that are kept say of the pages of an application.
///
/// # Errors
/// What cannot be read, results that do not tell, or a file that cannot be written.
pub fn application_profile(options: &ApplicationProfileOptions) -> Result<MeasuredPages, JobError> {
    options.results.check()?;
    let profile = Experiment::load(&options.experiment)?.application_profile()?;
    let file = profile.to_toml();
    let file = file.map_err(|error| refused(format!("cannot write the profile: {error}")))?;
    Ok(MeasuredPages {
        view: ApplicationProfileView::of(provenance::tool(), &profile),
        file,
    })
}

/// How far simulated jobs of several experiments are off in all, by the results that are kept.
///
/// # Errors
/// What cannot be read or predicted.
pub fn scores(experiments: &[PathBuf]) -> Result<ExperimentScoresView, JobError> {
    Ok(ExperimentScoresView {
        tool: provenance::tool(),
        scores: hotset_experiment::scores_of(experiments)?,
    })
}

/// The results that are kept beside what the model predicts now and what is published.
///
/// # Errors
/// What cannot be read.
pub fn show(options: &Options) -> Result<ExperimentView, JobError> {
    shown(options, &Experiment::load(&options.experiment)?)
}

fn shown(options: &Options, experiment: &Experiment) -> Result<ExperimentView, JobError> {
    Ok(ExperimentView {
        tool: provenance::tool(),
        report: experiment.show(&options.selection())?,
    })
}

impl From<ExperimentError> for JobError {
    fn from(error: ExperimentError) -> JobError {
        match error {
            // What there is not was asked for.
            ExperimentError::Selection(problem) => usage(problem),
            error => JobError::Library(Box::new(error)),
        }
    }
}
