//! Several experiments: those below a folder, and how far simulated jobs of several are off.

use std::fs;
use std::path::{Path, PathBuf};

use hotset_machine::OnFile as _;
use hotset_scenario::TomlFile;
use serde::{Deserialize, Serialize};

use crate::scores::{FigureScore, ScoredFigure};
use crate::study::Kind;
use crate::{ErrorSummary, Experiment, ExperimentError, Selection};

/// An experiment file below a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ExperimentEntry {
    /// The file, from the folder on.
    pub file: PathBuf,
    /// Its kind.
    pub kind: &'static str,
    /// How many points there are to measure.
    pub points: usize,
    /// How many of them have been measured under the settings that the file has now.
    pub measured: usize,
    /// Why it cannot be used, if so; then nothing is known of its points.
    pub problem: Option<String>,
}

/// As much of an experiment file as tells it from scenarios and profiles.
#[derive(Deserialize)]
#[serde(expecting = "a table")]
struct Sign {
    kind: Kind,
    #[serde(rename = "scenario")]
    _scenario: String,
}

/// The experiments in TOML files below `folder`, by path. Hidden folders and symbolic links are not looked into.
///
/// # Errors
/// When `folder` cannot be read. An experiment that cannot be used is no error but says so in its entry.
pub fn below(folder: &Path) -> Result<Vec<ExperimentEntry>, ExperimentError> {
    fs::read_dir(folder).on("read", folder)?;
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    let entries = files.iter().filter_map(|file| entry(folder, file));
    Ok(entries.collect())
}

/// TOML files below a folder. What cannot be read below it holds no experiment of the caller's.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        match entry.file_type() {
            Ok(kind) if kind.is_dir() && !is_hidden => collect(&path, files),
            Ok(kind) if kind.is_file() && path.extension().is_some_and(|it| it == "toml") => {
                files.push(path);
            }
            _ => {}
        }
    }
}

/// What a file says, if it is an experiment's.
fn entry(folder: &Path, path: &Path) -> Option<ExperimentEntry> {
    let file = TomlFile::read(path).ok()?;
    let sign: Sign = file.parse().ok()?;
    let listed = Experiment::parse(&file).and_then(|it| it.list(&Selection::default()));
    let (items, problem) = match listed {
        Ok(items) => (items, None),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    Some(ExperimentEntry {
        file: path.strip_prefix(folder).unwrap_or(path).to_owned(),
        kind: sign.kind.name(),
        points: items.len(),
        measured: items.iter().filter(|item| item.measured).count(),
        problem,
    })
}

/// An experiment whose jobs are summed up with those of others.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ScoredExperiment {
    /// Its name.
    pub name: String,
    /// How many points there are to measure.
    pub points: usize,
    /// How many of them have been measured under the settings that the file has now. Results that were kept under others count as well.
    pub measured: usize,
    /// Figures of its jobs, of every metric; 0 where no result is kept, and of kinds without jobs.
    pub figures: usize,
    /// How far throughput and mean times are off, of jobs that the model was made beside; missing without such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known: Option<ErrorSummary>,
    /// The same of jobs that were set aside until the model was done; missing without such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set_aside: Option<ErrorSummary>,
}

/// How far simulated jobs of several experiments are off.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Scores {
    /// Each experiment by itself.
    pub experiments: Vec<ScoredExperiment>,
    /// All their figures together.
    pub scores: Vec<FigureScore>,
}

/// Sums up how far simulated jobs are off that the results of these experiments are kept of.
///
/// # Errors
/// An experiment that cannot be used, a result that cannot be read, a prediction that cannot be made.
pub fn scores_of(files: &[PathBuf]) -> Result<Scores, ExperimentError> {
    let mut all: Vec<ScoredFigure> = Vec::new();
    let mut experiments = Vec::new();
    for file in files {
        let experiment = Experiment::load(file)?;
        let items = experiment.list(&Selection::default())?;
        let figures = experiment.figures()?;
        let times = FigureScore::of_times(&figures);
        experiments.push(ScoredExperiment {
            name: experiment.name().to_owned(),
            points: items.len(),
            measured: items.iter().filter(|item| item.measured).count(),
            figures: figures.len(),
            known: times.as_ref().and_then(|it| it.known),
            set_aside: times.as_ref().and_then(|it| it.set_aside),
        });
        all.extend(figures);
    }
    Ok(Scores {
        experiments,
        scores: FigureScore::all(&all),
    })
}
