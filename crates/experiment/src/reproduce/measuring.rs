//! What has not been measured yet of the experiments that studies show.

use std::path::Path;

use hotset_lab::{Control, LabError};

use super::error_words::in_words;
use super::studies;
use crate::{Experiment, ExperimentError, Selection, Tools};

/// Measures what has not been measured of the experiments below `folder` that the studies of these names show, of all where there are none.
/// Returns a sentence for each that could not be measured, such as without the rights: what is simulated is shown all the same.
///
/// # Errors
/// [`LabError::Interrupted`]; what was measured until then is kept.
pub fn measure(
    names: &[String],
    folder: &Path,
    tools: &Tools,
    date: &str,
    control: &dyn Control,
) -> Result<Vec<String>, ExperimentError> {
    let mut files: Vec<&str> = Vec::new();
    for study in studies::named(names) {
        for experiment in study.experiments() {
            if !files.contains(&experiment.file) {
                files.push(experiment.file);
            }
        }
    }
    let mut not_measured = Vec::new();
    for file in files {
        let path = folder.join(file);
        let measured = Experiment::load(&path)
            .and_then(|it| it.run(&Selection::default(), tools, date, control));
        match measured {
            Ok(_) => {}
            Err(ExperimentError::Lab(LabError::Interrupted)) => {
                return Err(LabError::Interrupted.into());
            }
            Err(error) => not_measured.push(format!(
                "{} was not measured: {}; what is simulated or was measured before is shown",
                path.display(),
                in_words(&error)
            )),
        }
    }
    Ok(not_measured)
}
