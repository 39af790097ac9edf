//! What models predict of the kept results of an experiment. It is kept, as it may take minutes, and is made anew where the results, the experiment
//! or the version of hotset are others.

use std::fs;
use std::path::{Path, PathBuf};

use hotset_lab::{Control, go_on};
use hotset_machine::{OnFile as _, file};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use super::error_words::in_words;
use crate::{Experiment, ExperimentError, Point, Selection};

/// Program and version.
pub(super) const TOOL: &str = concat!("hotset ", env!("CARGO_PKG_VERSION"));

/// What a model says of a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct PointPrediction {
    /// The point.
    pub point: Point,
    /// What it says, as `hotset experiment show --json` has it.
    pub prediction: Value,
}

/// What models predict of an experiment, and what is to be said of that.
#[derive(Clone, Debug, Default)]
pub(crate) struct Predictions {
    /// Of each point that has a prediction.
    pub predictions: Vec<PointPrediction>,
    /// Why kept ones were not used, or could not be kept.
    pub remarks: Vec<String>,
}

/// Predictions as they are kept.
#[derive(Serialize, Deserialize)]
struct Kept {
    /// Program and version that made them.
    tool: String,
    /// Hash of what they were made from.
    made_from: String,
    predictions: Vec<PointPrediction>,
}

/// Those of the experiment in the file `experiment`, which are kept in the file `kept`.
///
/// # Errors
/// An experiment that cannot be used; an interruption.
pub(crate) fn of(
    experiment: &Path,
    kept: &Path,
    control: &dyn Control,
) -> Result<Predictions, ExperimentError> {
    let made_from = hash(experiment)?;
    let mut remarks = Vec::new();
    match file::read_json::<Kept>(kept) {
        Ok(Some(found)) if found.tool != TOOL => remarks.push(format!(
            "{}: predicted by {}, and predicted anew",
            kept.display(),
            found.tool
        )),
        Ok(Some(found)) if found.made_from == made_from => {
            return Ok(Predictions {
                predictions: found.predictions,
                remarks,
            });
        }
        // Results that have been measured since are predicted without a word.
        Ok(_) => {}
        Err(error) => remarks.push(format!("{}; it is predicted anew", in_words(&error))),
    }
    let made = Kept {
        tool: TOOL.to_owned(),
        made_from,
        predictions: anew(experiment, control)?,
    };
    // A full disk, or a folder that is not to be written to, only takes time again.
    if let Err(error) = file::write_json(kept, &made) {
        let words = in_words(&error);
        remarks.push(format!(
            "{words}; the predictions are not kept, and are made anew next time"
        ));
    }
    Ok(Predictions {
        predictions: made.predictions,
        remarks,
    })
}

/// What models predict now.
fn anew(experiment: &Path, control: &dyn Control) -> Result<Vec<PointPrediction>, ExperimentError> {
    go_on(control)?;
    control.step(&format!("simulating {}", experiment.display()));
    let report = Experiment::load(experiment)?.show(&Selection::default())?;
    let mut all = Vec::new();
    for point in report.points {
        let Some(prediction) = point.prediction else {
            continue;
        };
        let place = serde_json::from_value(point.result).map_err(|error| {
            ExperimentError::Unusable(format!(
                "{}: a result names no point: {error}",
                experiment.display()
            ))
        })?;
        all.push(PointPrediction {
            point: place,
            prediction,
        });
    }
    Ok(all)
}

/// Hash of all files in an experiment's folder: its own, those that it names, and its results.
pub(super) fn hash(experiment: &Path) -> Result<String, ExperimentError> {
    let folder = experiment.parent().unwrap_or(Path::new("."));
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut hash = Sha256::new();
    hash.update(experiment.as_os_str().as_encoded_bytes());
    for path in files {
        let bytes = fs::read(&path).on("read", &path)?;
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    }
    let bytes = hash.finalize();
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// All files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), ExperimentError> {
    for entry in fs::read_dir(folder).on("read", folder)? {
        let entry = entry.on("read", folder)?;
        match entry.file_type().on("read", folder)? {
            kind if kind.is_dir() => collect(&entry.path(), files)?,
            kind if kind.is_file() => files.push(entry.path()),
            _ => {}
        }
    }
    Ok(())
}
