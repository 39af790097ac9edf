//! What models predict of the kept results of an experiment. It is kept, as it may take minutes, and is made anew where the results, the experiment
//! or the version of hotset are others.

use std::path::Path;

use hotset_lab::{Control, go_on};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::kept_file::{hash_beside, kept_or_made};
use crate::{Experiment, ExperimentError, Point, Selection};

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
struct Predicted {
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
    let made_from = hash_beside(experiment, "")?;
    let (made, remarks) = kept_or_made(kept, made_from, || anew(experiment, control))?;
    Ok(Predictions {
        predictions: made.predictions,
        remarks,
    })
}

/// What models predict now.
fn anew(experiment: &Path, control: &dyn Control) -> Result<Predicted, ExperimentError> {
    go_on(control)?;
    control.step(&format!("simulating {}", experiment.display()));
    let report = Experiment::load(experiment)?.show(&Selection::default())?;
    let mut predictions = Vec::new();
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
        predictions.push(PointPrediction {
            point: place,
            prediction,
        });
    }
    Ok(Predicted { predictions })
}
